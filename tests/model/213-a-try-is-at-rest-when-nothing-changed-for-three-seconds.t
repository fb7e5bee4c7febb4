# A try is over once nothing of the deletion changed for three seconds; what is seen later still counts to it.
at 1000000
conn up
children /brokers/ids 1 2 3
stat ctime=500000 czxid=11
znode /brokers/ids/1 {"version":5,"host":"k1","port":9092,"endpoints":["PLAINTEXT://k1:9092"],"timestamp":"1"}
stat ctime=500000 czxid=12
znode /brokers/ids/2 {"version":5,"host":"k2","port":9092,"endpoints":["PLAINTEXT://k2:9092"],"timestamp":"1"}
stat ctime=500000 czxid=13
znode /brokers/ids/3 {"version":5,"host":"k3","port":9092,"endpoints":["PLAINTEXT://k3:9092"],"timestamp":"1"}
stat ctime=510000 mtime=510000 owner=7 czxid=14
znode /controller {"version":1,"brokerid":1,"timestamp":"510000"}
stat mtime=510000
znode /controller_epoch 5
children /brokers/topics a
stat czxid=21 ctime=600000 mtime=600000
znode /brokers/topics/a {"version":2,"partitions":{"0":[2,3]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=700000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":3,"isr":[2,3]}
children /admin/delete_topics
loaded
dir /d1
holds a 0 size=7
disks 2
dir /d1
holds a 0 size=7
disks 3
children /admin/delete_topics a
stat czxid=30 ctime=1000000
znode /admin/delete_topics/a
expect attempt a 0 going
expect attempt a 0 effect no
at 1001000
stat mtime=1000900
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":5,"isr":[3]}
expect attempt a 0 effect yes
dir /d1
disks 2
expect witness a changed 1001000
at 1003900
link 1 up
expect attempt a 0 going
at 1004000
link 1 up
expect attempt a 0 rested 1001000 1 1
# It was only seen late.
at 1010000
dir /d1
disks 3
expect attempt a 0 going
at 1013000
link 1 up
expect attempt a 0 rested 1010000 2 0
# The next try is another one.
at 1020000
stat ctime=1019900 czxid=50
znode /brokers/ids/2 {"version":5,"host":"k2","port":9092,"endpoints":["PLAINTEXT://k2:9092"],"timestamp":"1"}
expect attempt a 0 rested 1010000 2 0
expect attempt a 1 going
expect attempt a 1 effect no
at 1030000
link 1 up
expect attempt a 1 rested 1020000 2 0
expect attempt a 1 effect no
