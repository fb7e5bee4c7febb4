# A broker that is back in the list and not read yet has not been waited for in vain: nothing else is said to hold it up.
at 1000000
conn up
children /brokers/ids 1 2 3
stat ctime=500000 czxid=11
znode /brokers/ids/1 {"version":5,"host":"k1","port":9092,"jmx_port":-1,"endpoints":["PLAINTEXT://k1:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"timestamp":"1"}
stat ctime=500000 czxid=12
znode /brokers/ids/2 {"version":5,"host":"k2","port":9092,"jmx_port":-1,"endpoints":["PLAINTEXT://k2:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"timestamp":"1"}
stat ctime=500000 czxid=13
znode /brokers/ids/3 {"version":5,"host":"k3","port":9092,"jmx_port":-1,"endpoints":["PLAINTEXT://k3:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"timestamp":"1"}
stat ctime=510000 mtime=510000 owner=7 czxid=14
znode /controller {"version":1,"brokerid":1,"timestamp":"510000"}
stat mtime=510000
znode /controller_epoch 5
children /brokers/topics a
stat czxid=21 ctime=600000 mtime=600000
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2,3]},"adding_replicas":{},"removing_replicas":{}}
stat mtime=700000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":3,"isr":[1,2,3]}
children /admin/delete_topics
loaded
link 1 up
link 2 up
link 3 up
dir /d1
dir /d2
holds a 0 size=500
disks 1
dir /d1
dir /d2
holds a 0 size=500
disks 2
dir /d1
holds a 0 size=500
dir /d2
disks 3
at 1010000
children /brokers/ids 1 2
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
stat mtime=1020050
znode /brokers/topics/a/partitions/0/state {"controller_epoch":5,"leader":-1,"version":1,"leader_epoch":6,"isr":[2]}
at 1021000
dir /d1
dir /d2
disks 1
dir /d1
dir /d2
disks 2
at 1100000
link 1 up
expect deletion a waiting certain T4 broker-down 3 certain
children /brokers/ids 1 2 3
expect deletion a running certain T3
expect deletion a replica 0 3 phase running likely rule R4
at 1100020
stat ctime=1099990 czxid=40
znode /brokers/ids/3 {"version":5,"host":"k3","port":9092,"jmx_port":-1,"endpoints":["PLAINTEXT://k3:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"timestamp":"1"}
expect deletion a running certain T3
