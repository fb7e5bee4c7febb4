children /brokers/ids 1 2
children /brokers/topics a
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2,3]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
lives 1 2
says a 0 leader=1 replicas=1,2,3 isr=1 offline=2,3
metadata 1 all controller=1
expect replica a 0 1 in-sync
expect replica a 0 2 dir-offline
expect replica a 0 3 broker-down
lives 1 2
says a 0 leader=1 replicas=1,2,3 isr=1 offline=3
metadata 1 all controller=1
expect replica a 0 2 out-of-sync
expect partition a 0 word -
