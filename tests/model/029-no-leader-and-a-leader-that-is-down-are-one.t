# Kafka 1.1: the only replica's broker went; the node names it still, brokers say that there is no leader, and no ISR.
children /brokers/ids 1 3
children /brokers/topics a
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":1,"partitions":{"0":[3]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":3,"version":1,"leader_epoch":0,"isr":[3]}
lives 1
says a 0 leader=-1 replicas=3
metadata 1 all controller=1
expect partition a 0 word leader -1
children /brokers/ids 1
lives 1
says a 0 leader=-1 replicas=3
metadata 1 all controller=1
expect partition a 0 word -
expect topic a offline
# A leader where the node's is down is another matter.
lives 1
says a 0 leader=1 replicas=3 isr=1
metadata 1 all controller=1
expect partition a 0 word leader 1
