# Topics made, moved and deleted, brokers restarted, a controller elected: no disagreement is cried out.
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
expect no truths
# Made: the node, then its states; metadata first, or last.
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigning 1
tick 100
children /brokers/topics new pay
stat czxid=8 ctime=1000100 mtime=1000100
znode /brokers/topics/new {"version":2,"partitions":{"0":[1]},"adding_replicas":{},"removing_replicas":{}}
absent /brokers/topics/new/partitions/0/state
dir /d1
holds pay 0 size=1
disks 1
tick 4900
stat mtime=1005000
znode /brokers/topics/new/partitions/0/state {"controller_epoch":5,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
lives 1 2 3
says pay 0 leader=1 replicas=1,2 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
metadata 1 all controller=1 cluster=abc
# Moved, with a throttle.
children /config/topics new pay
children /config/brokers 3
stat mtime=1005000
znode /config/topics/pay {"version":1,"config":{"follower.replication.throttled.replicas":"0:3","leader.replication.throttled.replicas":"0:1,0:2"}}
stat mtime=1005000
znode /config/brokers/3 {"version":1,"config":{"follower.replication.throttled.rate":"1000"}}
znode /config/topics/new {"version":1,"config":{}}
tick 5000
stat mtime=1010000
znode /admin/reassign_partitions {"version":1,"partitions":[{"topic":"pay","partition":0,"replicas":[3,2]}]}
tick 50
stat czxid=5 ctime=900000 mtime=1010050
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2,1],"1":[2,3]},"adding_replicas":{"0":[3]},"removing_replicas":{"0":[1]}}
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=1
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=0
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=2
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=1
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=3
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=2
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=4
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=3
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=5
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=4
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=6
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=5
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=7
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=6
disks 3
tick 30000
expect no truths
lives 1 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 1
dir /d1
holds pay 0 size=8
holds new 0 size=1
disks 1
dir /d1
holds pay 0 size=7
disks 3
tick 30000
expect no truths
# The controller's broker goes, another is elected, who was leader is not for a moment.
children /brokers/ids 2 3
absent /controller
tick 500
stat ctime=1251000 mtime=1251000 owner=9
znode /controller {"version":1,"brokerid":2,"timestamp":"1251000"}
znode /controller_epoch 6
stat mtime=1251200
znode /brokers/topics/pay/partitions/0/state {"controller_epoch":6,"leader":2,"version":1,"leader_epoch":1,"isr":[2]}
stat mtime=1251200
znode /brokers/topics/new/partitions/0/state {"controller_epoch":6,"leader":-1,"version":1,"leader_epoch":1,"isr":[1]}
reassigns pay 0 replicas=3,2,1 adding=3 removing=1
reassigning 2
lives 2 3
says pay 0 leader=1 replicas=3,2,1 isr=1,2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=1 replicas=1 isr=1
metadata 3 all controller=1
tick 5000
expect no truths
lives 2 3
says pay 0 leader=2 replicas=3,2,1 isr=2
says pay 1 leader=2 replicas=2,3 isr=2,3
says new 0 leader=-1 replicas=1 isr=1
metadata 2 all controller=2
tick 5000
expect no truths
# It comes back; the move ends; the topic is deleted. Disks are old news.
children /brokers/ids 1 2 3
stat ctime=1261000 mtime=1261000 owner=12
znode /brokers/ids/1 {"version":1,"host":"kafka1.example","port":9092,"jmx_port":-1,"timestamp":"1261000"}
stat mtime=1262000
znode /brokers/topics/pay/partitions/0/state {"controller_epoch":6,"leader":2,"version":1,"leader_epoch":2,"isr":[3,2]}
stat czxid=5 ctime=900000 mtime=1262000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[3,2],"1":[2,3]},"adding_replicas":{},"removing_replicas":{}}
tick 20
absent /admin/reassign_partitions
children /admin/delete_topics new
tick 50
children /brokers/topics pay
children /admin/delete_topics
tick 20000
expect no truths
lives 1 2 3
metadata 1 all
tick 5000
lives 2 3
says pay 0 leader=2 replicas=3,2 isr=2,3
says pay 1 leader=2 replicas=2,3 isr=2,3
metadata 2 all controller=2
reassigning 2
dir /d1
disks 1
tick 30000
expect no truths
# And the operator waits for a while with --verify.
tick 200000
children /config/topics pay
children /config/brokers
stat mtime=1520000
znode /config/topics/pay {"version":1,"config":{}}
tick 600000
expect no truths
