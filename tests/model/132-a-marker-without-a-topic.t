# A working controller takes it away within milliseconds.
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
children /admin/delete_topics ghost
tick 29000
expect no truths
tick 1000
expect truth marker without a topic: ghost
expect its since 1000000 bound
children /brokers/topics ghost pay
expect no truths
children /brokers/topics pay
tick 29000
children /admin/delete_topics
tick 30000
expect no truths
# The end of a deletion: the marker goes last.
children /admin/delete_topics pay
children /brokers/topics
tick 1000
children /admin/delete_topics
tick 60000
expect no truths
