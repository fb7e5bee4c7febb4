# The controller takes a plan up entry by entry; a new controller what was left. As long as that goes on, nothing is left over.
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
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":[3,2]},{"topic":"pay","partition":1,"replicas":[1,3]}]}
tick 29000
stat czxid=5 ctime=900000 mtime=1029000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2,1],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
tick 29000
expect no truths
stat ctime=1057000 mtime=1057000 owner=8
znode /controller {"version":1,"brokerid":2,"timestamp":"1057000"}
znode /controller_epoch 6
tick 29000
expect no truths
stat czxid=5 ctime=900000 mtime=1086000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2,1],"1":[1,3,2]},"adding_replicas":{"0":[3],"1":[1]},"removing_replicas":{"0":[1],"1":[2]}}
tick 60000
expect no truths
# Done, and the entries go.
stat czxid=5 ctime=900000 mtime=1146000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2],"1":[1,3]},"adding_replicas":{},"removing_replicas":{}}
tick 2000
absent /admin/reassign_partitions
tick 60000
expect no truths
