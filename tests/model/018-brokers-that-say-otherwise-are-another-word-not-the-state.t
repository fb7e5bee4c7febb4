# The state node is the owner's word. What brokers say of it otherwise stands beside it, counted by answers.
children /brokers/ids 1 2 3
children /brokers/topics a
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":2,"partitions":{"0":[1,2,3],"1":[2,3,1]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}
stat mtime=110
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2,3,1]}
lives 1 2 3
says a 0 leader=1 replicas=1,2,3 isr=3,1,2
says a 1 leader=2 replicas=2,3,1 isr=2,3
at 5000
metadata 1 all controller=1
expect partition a 0 word -
expect partition a 1 word polls 1
expect partition a 1 word since 5000
expect partition a 1 isr 2,3,1
expect topic a ok
expect total differs 1
lives 1 2 3
says a 0 leader=1 replicas=1,2,3 isr=3,1,2
says a 1 leader=2 replicas=2,3,1 isr=2,3
at 10000
metadata 1 all controller=1
expect partition a 1 word polls 2
expect partition a 1 word since 5000
# A new state is counted against anew; the same word is no other.
stat mtime=11000
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":3,"version":1,"leader_epoch":1,"isr":[3,1]}
expect partition a 1 word polls 0
expect total differs 1
stat mtime=12000
znode /brokers/topics/a/partitions/1/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":2,"isr":[3,2]}
expect partition a 1 word -
expect total differs 0
