# Metadata alone is a whole picture; each fact turns to ZooKeeper's when that is read.
lives 1 2 3
says a 0 leader=1 epoch=4 replicas=1,2,3 isr=1,2
says b 0 leader=-1 replicas=2 isr=2
metadata 1 all controller=2 cluster=abc
expect topic a from brokers
expect topic a under
expect topic a partitions 1
expect partition a 0 leader 1
expect partition a 0 from brokers
expect topic b offline
expect broker 3 up
expect broker 3 under 1
expect total under 1
at 2000
children /brokers/ids 1 2 3
children /brokers/topics a
expect no topic b
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2,3]},"adding_replicas":{},"removing_replicas":{}}
expect topic a from zookeeper
expect partition a 0 from brokers
expect partition a 0 isr 1,2
stat mtime=150
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":4,"isr":[1,2,3]}
expect partition a 0 from zookeeper
expect partition a 0 isr 1,2,3
expect topic a ok
expect total under 0
