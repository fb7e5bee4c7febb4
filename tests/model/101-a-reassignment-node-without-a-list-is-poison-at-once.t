# Node without partitions: the controller fails on every read of it. Told at once, gone with the node.
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
stat mtime=999000
znode /admin/reassign_partitions {"version":1}
expect truth reassignment node without a list: /admin/reassign_partitions
expect its poison yes
expect its since 999000 bound
expect its mends delete /admin/reassign_partitions
# A list makes it a request like others.
stat mtime=1001000
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":[3,2]}]}
expect no truths
stat mtime=1002000
znode /admin/reassign_partitions {"version":1}
expect truths 1
absent /admin/reassign_partitions
expect no truths
