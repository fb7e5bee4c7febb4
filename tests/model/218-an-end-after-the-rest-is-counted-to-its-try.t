# What a slow broker deletes after the try was called at rest is of that try: its end is told, not the rest before.
scene a-on-three-brokers
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
