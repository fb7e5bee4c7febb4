# In three answers and for fifteen seconds; not around an election.
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
metadata 2 all controller=3
tick 5000
lives 1 2 3
metadata 2 all controller=3
tick 5000
expect no truths
stat ctime=1010000 mtime=1010000 owner=9
znode /controller {"version":1,"brokerid":3,"timestamp":"1010000"}
lives 1 2 3
metadata 2 all controller=1
tick 5000
# Where they name another one than ZooKeeper, both are asked in turn.
lives 1 2 3
metadata 1 all controller=1
tick 5000
lives 1 2 3
metadata 2 all controller=1
expect no truths
tick 5000
expect truth another controller in metadata: /controller
expect its since 1010000 bound
expect its what /controller names broker 3; metadata of broker 2 names 1
lives 1 2 3
metadata 2 all controller=3
expect no truths
