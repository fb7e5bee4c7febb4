# A stale node that asks for what is there, or that the controller ignores, blocks old tools and poisons nobody.
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
stat mtime=1000000
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":[1,2]}]}
tick 30000
expect truth leftover reassignment entry: pay 0
expect its poison no
expect its what which it has
stat mtime=1031000
znode /admin/reassign_partitions {"version":1,"partitions":[
tick 30000
expect truth leftover reassignment entry: /admin/reassign_partitions
expect its poison no
expect its what ignores
stat mtime=1062000
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"nobody","partition":0,"replicas":[1,2]},{"topic":"pay","partition":7,"replicas":[1,2]}]}
tick 30000
expect truths 2
expect truth leftover reassignment entry: nobody 0
expect its poison yes
expect its what no such topic
expect truth leftover reassignment entry: pay 7
expect its what no such partition
# Of a topic that is being deleted, the controller takes the entries out itself.
children /brokers/topics nobody pay
stat czxid=9 ctime=1093000 mtime=1093000
znode /brokers/topics/nobody {"version":2,"partitions":{"0":[1]}}
stat mtime=1093000
znode /brokers/topics/nobody/partitions/0/state {"controller_epoch":5,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
children /admin/delete_topics nobody
expect truths 1
