# The controller lists what no topic node has.
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
reassigns gone 0 replicas=3,1,2 adding=3 removing=1
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 5000
reassigns gone 0 replicas=3,1,2 adding=3 removing=1
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 5000
expect no truths
reassigns gone 0 replicas=3,1,2 adding=3 removing=1
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 5000
expect truths 2
expect truth zombie reassignment: gone 0
expect its what no such topic
expect truth zombie reassignment: pay 0
expect its what the topic node has neither
stat czxid=5 ctime=900000 mtime=1020000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,1,2],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
expect truths 1
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
expect no truths
