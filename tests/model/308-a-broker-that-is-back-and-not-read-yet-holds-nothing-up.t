# A broker that is back in the list and not read yet has not been waited for in vain: nothing else is said to hold it up.
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
