# What lies on a disk lies there while the broker is down or refuses; what became an orphan meanwhile waits for its word.
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
dir /d1
holds gone 0 size=1
holds pay 0 size=1
disks 1
tick 30000
dir /d1
holds gone 0 size=1
holds pay 0 size=1
disks 1
tick 15000
expect truths 1
children /brokers/ids 2 3
refuses-disks 1
stat czxid=5 ctime=900000 mtime=1045000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[2,3],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
tick 600000
expect truth orphan replica: gone 0 on broker 1, /d1
expect its since 1000000 bound
expect truths 1
