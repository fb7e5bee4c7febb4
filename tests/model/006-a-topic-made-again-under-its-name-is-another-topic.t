children /brokers/ids 1 2
children /brokers/topics a
stat czxid=10
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":7,"isr":[1]}
expect topic a under
stat czxid=20
znode /brokers/topics/a {"version":3,"topic_id":"AAAAAAAAAAAAAAAAAAAAAQ","partitions":{"0":[2,1],"1":[1,2]}}
expect topic a ?
expect topic a partitions 2
expect topic a id AAAAAAAAAAAAAAAAAAAAAQ
expect partition a 0 state unknown
expect total under 0
