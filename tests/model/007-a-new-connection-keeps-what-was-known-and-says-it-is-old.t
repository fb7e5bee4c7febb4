conn up
children /brokers/ids 1 2
children /brokers/topics a b
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":7,"isr":[1,2]}
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2]}}
expect stale
loaded
expect live
epoch 2
at 9000
conn connecting
expect stale
expect topic a ok
expect partition a 0 old
# What the old connection still says is not heard.
epoch 1
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":8,"isr":[2]}
expect partition a 0 leader 1
epoch 2
conn up
children /brokers/ids 2
expect broker 1 down
expect broker 1 since 9000 bound
children /brokers/topics a
expect no topic b
stat mtime=8000
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":8,"isr":[2]}
expect partition a 0 fresh
expect partition a 0 since 8000 bound
loaded
expect live
