# It looks for its dirs anew; that it is there is known before since when.
at 1000000
conn up
children /brokers/ids 1 2 3
stat ctime=500000 mtime=500000 owner=7
znode /brokers/ids/1 {"version":4,"host":"h","port":9092,"endpoints":["PLAINTEXT://h:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"}}
stat ctime=500000 mtime=500000 owner=7
znode /controller {"version":1,"brokerid":2,"timestamp":"500000"}
znode /controller_epoch 5
absent /admin/reassign_partitions
absent /migration
children /admin/delete_topics
children /brokers/topics
loaded
dir /d1
dir /d2 error=56
disks 1
expect truths 1
expect truth log dir offline: broker 1, /d2
children /brokers/ids 2 3
expect no truths
tick 30000
children /brokers/ids 1 2 3
expect no truths
stat ctime=1030000 mtime=1030000 owner=8
znode /brokers/ids/1 {"version":4,"host":"h","port":9092,"endpoints":["PLAINTEXT://h:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"}}
expect no truths
tick 1000
dir /d1
dir /d2 error=56
disks 1
expect truths 1
expect truth log dir offline: broker 1, /d2
