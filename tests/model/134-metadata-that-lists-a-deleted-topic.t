# In three answers and for fifteen seconds, without a marker.
at 1000000
conn up
children /brokers/ids 1 2 3
stat ctime=500000 mtime=500000 owner=7
znode /controller {"version":1,"brokerid":1,"timestamp":"500000"}
znode /controller_epoch 5
absent /admin/reassign_partitions
absent /migration
children /admin/delete_topics
children /brokers/topics pay
stat czxid=5 ctime=900000 mtime=900000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[1,2],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=910000
znode /brokers/topics/pay/partitions/0/state {"controller_epoch":5,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
stat mtime=910000
znode /brokers/topics/pay/partitions/1/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3]}
loaded
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says ghost 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
tick 5000
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says ghost 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
tick 5000
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says ghost 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
expect no truths
tick 5000
expect truth deleted topic in metadata: ghost
expect its since 1000000 bound
expect its what broker 1 lists it with 1 partitions
children /admin/delete_topics ghost
expect no truths
children /admin/delete_topics
tick 5000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
metadata 1 all controller=1 cluster=abc
tick 60000
expect no truths
