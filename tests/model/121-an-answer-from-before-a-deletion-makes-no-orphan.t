# Disks are asked every half minute: an answer may be older than the end of a deletion or a move.
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
children /brokers/topics a pay
stat czxid=8 ctime=1000000 mtime=1000000
znode /brokers/topics/a {"version":2,"partitions":{"0":[1]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=1000000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
dir /d1
holds a 0 size=1
holds pay 0 size=1
disks 1
dir /d1
holds pay 0 size=1
holds pay 1 size=1
disks 2
tick 1000
children /admin/delete_topics a
children /brokers/topics pay
children /admin/delete_topics
# And a move ends.
stat czxid=5 ctime=900000 mtime=1001000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[1,3],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
tick 600000
expect no truths
# An answer that was under way; the next one has it no more.
dir /d1
holds a 0 size=1
holds pay 0 size=1
disks 1
tick 30000
dir /d1
holds pay 0 size=1
disks 1
tick 60000
expect no truths
