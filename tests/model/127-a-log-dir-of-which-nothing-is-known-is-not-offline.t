# Not asked, refused, another error, the broker down, an answer from before its start.
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
children /brokers/topics pay
stat czxid=5 ctime=900000 mtime=900000
znode /brokers/topics/pay {"version":2,"partitions":{"0":[1,2],"1":[2,1],"2":[2,3],"3":[2,3,1]},"adding_replicas":{"3":[1]},"removing_replicas":{}}
stat mtime=910000
znode /brokers/topics/pay/partitions/0/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":0,"isr":[2]}
stat mtime=910000
znode /brokers/topics/pay/partitions/1/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":0,"isr":[2,1]}
stat mtime=910000
znode /brokers/topics/pay/partitions/2/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3]}
stat mtime=910000
znode /brokers/topics/pay/partitions/3/state {"controller_epoch":5,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3]}
loaded
tick 60000
expect no truths
refuses-disks 1
tick 60000
expect no truths
dir /d1 error=31
disks 1
expect no truths
dir /d1 error=56
disks 1
expect truths 1
tick 1000
# A refusal says nothing new: the last answer stands.
refuses-disks 1
tick 60000
expect truths 1
children /brokers/ids 2 3
absent /brokers/ids/1
expect no truths
tick 60000
children /brokers/ids 1 2 3
stat ctime=1182000 mtime=1182000 owner=8
znode /brokers/ids/1 {"version":4,"host":"h","port":9092,"endpoints":["PLAINTEXT://h:9092"],"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"}}
tick 10000
expect no truths
dir /d1
disks 1
tick 10000
expect no truths
