# What a slow broker deletes after the try was called at rest is of that try: its end is told, not the rest before.
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
at 1040000
children /brokers/ids 1 2 3
stat ctime=1040000 czxid=40
znode /brokers/ids/3 {"version":5,"host":"k3","port":9092,"jmx_port":-1,"endpoints":["PLAINTEXT://k3:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"timestamp":"1"}
at 1044000
link 1 up
expect deletion a attempt 1 broker 3 registered = 2 done, 1 waits
at 1049000
children /brokers/topics
children /admin/delete_topics
expect deletion a done certain T11
expect deletion a attempt 1 broker 3 registered = 3 done, 0 wait
