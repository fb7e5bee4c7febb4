# Four elections in five seconds; a rolling restart has one each time its controller goes.
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
expect no truths
znode /controller_epoch 6
tick 2000
znode /controller_epoch 7
tick 10000
znode /controller_epoch 8
tick 2000
znode /controller_epoch 9
expect no truths
tick 60000
znode /controller_epoch 40
expect truth election storm: /controller_epoch
expect its poison yes
expect its what is 40 by now
tick 20000
znode /controller_epoch 52
expect truth election storm: /controller_epoch
tick 29000
expect truths 1
tick 1000
expect no truths
# One that has nothing to do with it.
tick 5000
znode /controller_epoch 53
expect no truths
tick 60000
# Slower, where each takes ten seconds to fail.
znode /controller_epoch 54
tick 10000
znode /controller_epoch 55
tick 10000
znode /controller_epoch 56
tick 10000
znode /controller_epoch 57
tick 10000
znode /controller_epoch 58
expect no truths
tick 10000
znode /controller_epoch 59
expect truth election storm: /controller_epoch
