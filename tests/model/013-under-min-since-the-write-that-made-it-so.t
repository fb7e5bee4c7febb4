# The time of under-min is its own, not that of the first replica lost.
children /brokers/ids 1 2 3
children /config/topics a b
stat mtime=50
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"2"}}
stat mtime=150
znode /config/topics/b {"version":1,"config":{"min.insync.replicas":"2"}}
children /brokers/topics a b c
stat czxid=5 ctime=100 mtime=100
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2,3]}}
stat czxid=6 ctime=100 mtime=100
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2,3]}}
stat czxid=7 ctime=100 mtime=100
znode /brokers/topics/c {"version":1,"partitions":{"0":[1,2,3]}}
stat mtime=110
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2,3]}
stat mtime=120
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
stat mtime=120
znode /brokers/topics/c/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
loaded
# Found so: at least since the last write of what decides it, here the setting.
expect partition b 0 since 120 bound
expect partition b 0 under-min-since 150 bound
at 2000
stat mtime=1990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
expect partition a 0 since 1990 exact
expect partition a 0 under-min-since 0 bound
at 9000
stat mtime=8990
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic a under-min
expect partition a 0 since 1990 exact
expect partition a 0 under-min-since 8990 exact
# A setting that is raised makes it so; one that is lowered ends it.
stat mtime=9500
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"1"}}
expect partition a 0 under-min-since 0 bound
stat mtime=9600
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"3"}}
expect partition a 0 under-min-since 9600 exact
# Where the brokers' default held before, whether it was so already isn't known.
stat mtime=9700
znode /config/topics/c {"version":1,"config":{"min.insync.replicas":"2"}}
expect partition c 0 under-min-since 9700 bound
# A broker that was seen to go takes its partitions' leaders with it.
at 9800
children /brokers/ids 2 3
expect topic c offline
expect partition c 0 under-min-since 9700 bound
stat mtime=9810
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":2,"version":1,"leader_epoch":1,"isr":[2,3]}
expect partition b 0 under-min-since 0 bound
at 9900
children /brokers/ids 3
expect partition b 0 under-min-since 9900 exact
