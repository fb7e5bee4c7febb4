# A replica is gone when its broker, with every dir in order, lists it no more; where it lay and how large it was stays known.
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
dir /d2
holds a 0 size=500
disks 2
dir /d1
holds a 0 size=500
disks 3
at 1001000
children /admin/delete_topics a
stat czxid=30 ctime=1000990
znode /admin/delete_topics/a
expect witness a open
expect witness a came yes
expect witness a czxid 21
expect witness a marker 30
expect witness a marked 1000990
expect witness a first-seen 1001000
expect witness a epoch 5
expect witness a replicas 2
expect witness a alive yes
expect seen a 0 2 dir /d2
expect seen a 0 2 size 500
expect seen a 0 2 listed 1000000
expect seen a 0 2 gone 0
expect seen a 0 2 registration 12
expect attempt a 0 marked -1 5 1000990
clear
at 1002000
dir /d1
dir /d2
disks 2
expect changed a
expect seen a 0 2 gone 1002000
expect seen a 0 2 gone-epoch 5
expect seen a 0 2 dir /d2
expect seen a 0 2 size 500
expect seen a 0 2 refilled no
expect seen a 0 3 gone 0
# An answer that says the same again is no change.
clear
at 1004000
dir /d1
dir /d2
disks 2
expect changed -
expect seen a 0 2 gone 1002000
