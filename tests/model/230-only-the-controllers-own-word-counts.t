# Whether the controller still lists the topic is asked of its own broker: others may have missed that it went (reference 2.10).
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
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=2,3 isr=2,3
metadata 1 all controller=1
children /admin/delete_topics a
expect witness a lists unknown 0
at 1001000
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=2,3 isr=2,3
metadata 2 all controller=1
expect witness a lists unknown 0
at 1002000
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=2,3 isr=2,3
metadata 1 all controller=1
expect witness a lists known 1
expect witness a lists-since 1002000
at 1003000
lives 1 2 3
metadata 1 all controller=1
expect witness a lists absent 1
at 1004000
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=2,3 isr=2,3
metadata 2 all controller=1
expect witness a lists absent 1
at 1005000
says-unknown a
metadata 1 some controller=1
expect witness a lists absent 2
expect witness a lists-since 1003000
expect witness a lists-epoch 5
# Another controller has its own word.
stat mtime=1006000
znode /controller_epoch 6
stat ctime=1006000 owner=8 czxid=40
znode /controller {"version":1,"brokerid":3,"timestamp":"1006000"}
at 1007000
lives 1 2 3
says a 0 leader=2 epoch=3 replicas=2,3 isr=2,3
metadata 1 all controller=1
expect witness a lists absent 2
says-unknown a
metadata 3 some controller=3
expect witness a lists absent 1
expect witness a lists-epoch 6
expect witness a lists-since 1007000
