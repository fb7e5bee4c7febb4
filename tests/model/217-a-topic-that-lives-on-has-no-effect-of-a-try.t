# The marker is there and not taken up: the topic is written to, an ISR shrinks. That is no effect of anything.
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
holds a 0 size=500
disks 2
children /admin/delete_topics a
stat czxid=30 ctime=1000000
znode /admin/delete_topics/a
at 1002000
dir /d1
holds a 0 size=900
disks 2
stat mtime=1002000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":4,"isr":[2]}
at 1004000
link 1 up
expect seen a 0 2 size 900
expect seen a 0 2 listed 1002000
expect attempt a 0 rested 1000000 0 2
expect attempt a 0 effect no
expect witness a changed 1000000
