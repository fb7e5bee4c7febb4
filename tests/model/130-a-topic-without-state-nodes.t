# No leader was ever elected, for longer than a controller needs for a new topic.
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
children /brokers/topics n pay
stat czxid=8 ctime=1000000 mtime=1000000
znode /brokers/topics/n {"version":2,"partitions":{"0":[1],"1":[2]},"adding_replicas":{},"removing_replicas":{}}
absent /brokers/topics/n/partitions/0/state
absent /brokers/topics/n/partitions/1/state
tick 59000
expect no truths
# An election: the new controller has its minute.
stat ctime=1059000 mtime=1059000 owner=8
znode /controller {"version":1,"brokerid":2,"timestamp":"1059000"}
tick 59000
expect no truths
tick 1000
expect truth partitions without state nodes: n
expect its since 1000000 bound
expect its what none of its partitions (2)
stat mtime=1120000
znode /brokers/topics/n/partitions/0/state {"controller_epoch":6,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect truth partitions without state nodes: n
expect its what 1 of 2 partitions
children /admin/delete_topics n
expect no truths
children /admin/delete_topics
stat mtime=1121000
znode /brokers/topics/n/partitions/1/state {"controller_epoch":6,"leader":2,"version":1,"leader_epoch":0,"isr":[2]}
tick 600000
expect no truths
