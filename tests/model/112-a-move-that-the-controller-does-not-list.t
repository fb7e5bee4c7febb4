# Adding and removing replicas in the topic node that the controller knows nothing of.
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
stat czxid=5 ctime=900000 mtime=1000000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,1,2],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
# An answer from before, and one just after.
tick 1000
reassigning 1
tick 5000
expect no truths
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 5000
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 5000
reassigning 1
tick 5000
reassigning 1
tick 5000
expect no truths
reassigning 1
tick 5000
expect truth zombie reassignment: pay 0
expect its since 1000000 bound
expect its what adding [3] and removing [1]; controller 1 does not list it
# A topic being deleted may be listed or not.
children /admin/delete_topics pay
expect no truths
children /admin/delete_topics
expect no truths
tick 20000
reassigns pay 0 replicas=3,1,2 adding=3 removing=1
reassigning 1
tick 20000
expect no truths
