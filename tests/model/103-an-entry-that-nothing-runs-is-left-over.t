# An entry written over an existing node is nobody's: the next election executes it.
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
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":[3,2]}]}
expect no truths
tick 29000
expect no truths
tick 1000
expect truth leftover reassignment entry: pay 0
expect its poison yes
expect its since 1000000 bound
expect its what asks for replicas [3,2]; it has [1,2]
expect its next next election of a controller executes it
expect its mends --execute
# Moved to others: the entry is supplanted, the election executes it all the same.
stat czxid=5 ctime=900000 mtime=1040000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,1,2],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[2]}}
expect truth leftover reassignment entry: pay 0
expect its what moved to others
# Moved as it says: no longer.
stat czxid=5 ctime=900000 mtime=1041000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2,1],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
expect no truths
