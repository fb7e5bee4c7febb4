children /brokers/ids 1
children /brokers/topics a
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1]}}
lives 1
says a 0 leader=1 replicas=1 isr=1
says ghost 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
expect only-brokers-list ghost
expect no topic ghost
lives 1
says ghost 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
expect topic a missing 1
# An answer about some says nothing of the others.
lives 1
says a 0 leader=1 replicas=1 isr=1
metadata 1 some controller=1
expect only-brokers-list ghost
expect topic a missing 0
says-unknown a
metadata 1 some controller=1
expect topic a missing 1
lives 1
says a 0 leader=1 replicas=1 isr=1
metadata 1 all controller=1
expect only-brokers-list -
