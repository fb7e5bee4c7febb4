# The list of markers may be read before the topic's node.
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
children /admin/delete_topics b
expect witness b open
expect witness b czxid 0
expect witness b replicas 0
stat czxid=31 ctime=1000900
znode /admin/delete_topics/b
stat czxid=29 ctime=900000 mtime=900000
znode /brokers/topics/b {"version":2,"partitions":{"0":[3,1],"2":[1,2]},"adding_replicas":{"2":[2]},"removing_replicas":{}}
expect witness b czxid 29
expect witness b replicas 4
expect seen b 0 3 size -1
expect seen b 2 2 size -1
# What a reassignment that goes on adds is watched as well, and what it took away stays.
at 1002000
stat czxid=29 ctime=900000 mtime=1001900
znode /brokers/topics/b {"version":2,"partitions":{"0":[3,1],"2":[2,3]},"adding_replicas":{},"removing_replicas":{}}
expect witness b replicas 5
expect seen b 2 1 size -1
expect seen b 2 3 size -1
expect attempt b 1 reassigned -1 5 1001900
