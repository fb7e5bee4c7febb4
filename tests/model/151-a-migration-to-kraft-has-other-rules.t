# A KRaft controller reads none of the requests in ZooKeeper.
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
stat ctime=1000000 mtime=1000000
znode /controller {"version":2,"brokerid":3000,"timestamp":"1000000","kraftControllerEpoch":4}
znode /admin/reassign_partitions {"version":1}
children /admin/delete_topics ghost
znode /controller_epoch 6
znode /controller_epoch 60
lives 1 2 3
metadata 1 all controller=2
tick 10000
lives 1 2 3
metadata 1 all controller=2
tick 10000
lives 1 2 3
metadata 1 all controller=2
tick 60000
expect no truths
