# Two future logs, a future one beside its own, two current ones; an ordinary copy between dirs is none.
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
holds pay 0 size=1
dir /d2
holds pay 0 size=1 lag=5 future
disks 1
tick 60000
dir /d1
holds pay 0 size=1
dir /d2
holds pay 0 size=1 lag=4 future
disks 1
tick 60000
expect no truths
dir /d1
holds pay 0 size=1
dir /d2
holds pay 0 size=1 future
dir /d3
holds pay 0 size=1 future
disks 1
dir /d1
holds pay 0 size=1
holds pay 0 size=1 future
dir /d2
holds pay 1 size=1
dir /d3
holds pay 1 size=1
disks 2
tick 30000
expect no truths
dir /d1
holds pay 0 size=1
dir /d2
holds pay 0 size=1 future
dir /d3
holds pay 0 size=1 future
disks 1
dir /d1
holds pay 0 size=1
holds pay 0 size=1 future
dir /d2
holds pay 1 size=1
dir /d3
holds pay 1 size=1
disks 2
tick 15000
expect truths 3
expect truth replica twice on one broker: pay 0 on broker 1, /d3
expect its what two future logs: in /d2 and in /d3
expect truth replica twice on one broker: pay 0 on broker 2, /d1
expect truth replica twice on one broker: pay 1 on broker 2, /d3
expect its what two current logs
dir /d1
holds pay 0 size=1
disks 1
dir /d2
holds pay 1 size=1
disks 2
expect no truths
