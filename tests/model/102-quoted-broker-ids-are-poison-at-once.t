# Broker ids as strings, in the request and in a topic node; a quoted partition is none.
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
stat mtime=999000
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":["3","2"]}]}
expect truth reassignment node with quoted broker ids: /admin/reassign_partitions
expect its poison yes
absent /admin/reassign_partitions
expect no truths
stat czxid=5 ctime=900000 mtime=1000500
znode /brokers/topics/pay {"version":2,"partitions":{"0":["3",1,2],"1":[2,3]},"adding_replicas":{"0":["3"]},"removing_replicas":{}}
expect truth topic node with quoted broker ids: pay
expect its poison yes
expect its since 1000500 bound
stat czxid=5 ctime=900000 mtime=1000900
znode /brokers/topics/pay {"version":2,"partitions":{"0":[1,2],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
expect no truths
