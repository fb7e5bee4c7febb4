# A pass leaves no leader and one member of the ISR in each partition. One partition alone may be an ordinary one without a leader.
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
at 1001000
children /brokers/topics a b
stat czxid=22 ctime=600000 mtime=600000
znode /brokers/topics/b {"version":2,"partitions":{"0":[2,3],"1":[3,2]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=700000
znode /brokers/topics/b/partitions/0/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":3,"isr":[2,3]}
stat mtime=700000
znode /brokers/topics/b/partitions/1/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":3,"isr":[3]}
children /admin/delete_topics b
expect witness b pass 0
expect witness b alive yes
at 1002000
stat mtime=1001900
znode /brokers/topics/b/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":5,"isr":[3]}
expect witness b pass 1002000
# Found so, nobody can tell: leaders were never seen with the marker there.
at 1003000
children /brokers/topics a b c
stat czxid=23 ctime=600000 mtime=600000
znode /brokers/topics/c {"version":2,"partitions":{"0":[2,3]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=700000
znode /brokers/topics/c/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":3,"isr":[3]}
children /admin/delete_topics b c
expect witness c pass 1003000
expect witness c alive no
