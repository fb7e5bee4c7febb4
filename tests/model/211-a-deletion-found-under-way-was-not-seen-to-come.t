# The first list of markers had it already: it was not seen to come. A start of a broker that hosts it, and the last election, are tries all the same
# if they came after the marker: the times of their nodes tell.
at 1000000
conn up
children /brokers/topics a
children /admin/delete_topics a
expect witness a open
expect witness a came no
stat czxid=30 ctime=800000
znode /admin/delete_topics/a
expect attempt a 0 found -1 -1 800000
stat mtime=820000
znode /controller_epoch 5
stat ctime=820000 mtime=820000 owner=7 czxid=14
znode /controller {"version":1,"brokerid":1,"timestamp":"510000"}
children /brokers/ids 1 2 3
stat ctime=500000 czxid=11
znode /brokers/ids/1 {"version":5,"host":"k1","port":9092,"endpoints":["PLAINTEXT://k1:9092"],"timestamp":"1"}
stat ctime=850000 czxid=12
znode /brokers/ids/2 {"version":5,"host":"k2","port":9092,"endpoints":["PLAINTEXT://k2:9092"],"timestamp":"1"}
stat ctime=860000 czxid=13
znode /brokers/ids/3 {"version":5,"host":"k3","port":9092,"endpoints":["PLAINTEXT://k3:9092"],"timestamp":"1"}
stat czxid=21 ctime=600000 mtime=600000
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2]},"adding_replicas":{},"removing_replicas":{}}
expect witness a epoch 5
expect witness a attempts 3
expect attempt a 1 elected 1 5 820000
expect attempt a 1 rested 850000 0 0
# 3 hosts nothing of it, 1 was there before.
expect attempt a 2 started 2 5 850000
expect attempt a 2 effect no
# What is seen for the first time is no effect of it.
at 1001000
dir /d1
disks 1
dir /d1
holds a 0 size=1
disks 2
expect seen a 0 1 gone 1001000
expect attempt a 2 effect no
at 1002000
dir /d1
disks 2
expect attempt a 2 effect yes
