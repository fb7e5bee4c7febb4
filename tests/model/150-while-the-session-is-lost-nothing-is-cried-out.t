# What is told stands, nothing is added, and what was held back begins anew.
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
tick 30000
expect truths 1
children /admin/delete_topics ghost spook
tick 20000
conn connecting
tick 600000
expect truths 1
lives 1 2 3
metadata 1 all controller=3
tick 600000
expect truths 1
epoch 2
conn up
children /brokers/topics pay
children /admin/delete_topics ghost spook
tick 60000
expect truths 1
loaded
tick 29000
expect truths 1
tick 1000
expect truths 2
