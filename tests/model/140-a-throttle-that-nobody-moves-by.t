# Five minutes after the last move that it served: tools set it before, and keep it for --verify.
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
children /config/topics pay
children /config/brokers 3
stat mtime=1000000
znode /config/topics/pay {"version":1,"config":{"follower.replication.throttled.replicas":"0:3"}}
stat mtime=1000000
znode /config/brokers/3 {"version":1,"config":{"follower.replication.throttled.rate":"1000"}}
tick 200000
stat czxid=5 ctime=900000 mtime=1200000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,1,2],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
tick 3600000
expect no truths
stat czxid=5 ctime=900000 mtime=4800000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
tick 299000
expect no truths
tick 1000
expect truths 2
expect truth throttle without a move: broker 3, follower.replication.throttled.rate
expect its what is 1000; nobody moves anything by it
expect truth throttle without a move: pay, follower.replication.throttled.replicas
expect its what is 0:3
children /config/topics
children /config/brokers
expect no truths
