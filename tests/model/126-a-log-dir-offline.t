# Said by the broker; what ZooKeeper assigns to it and it does not list may lie there.
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
dir /d1
holds pay 1 size=7
dir /d2 error=56
disks 1
expect truths 1
expect truth log dir offline: broker 1, /d2
expect its since 1000000 bound
expect its poison no
expect its what assigns 2 replicas to the broker; 1 of them are in none of its other dirs
expect its next until the broker is restarted
expect its mends restart the broker
dir /d1 error=56
dir /d2 error=56
disks 1
expect truths 2
expect truth log dir offline: broker 1, /d1
expect its what 2 of them
dir /d1
holds pay 1 size=7
dir /d2
holds pay 0 size=7
disks 1
expect no truths
