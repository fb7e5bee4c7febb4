# Before the list of brokers was read, and while it can't be, a leader may or may not be up.
children /brokers/topics a b c
children /config/topics c
znode /config/topics/c {"version":1,"config":{"min.insync.replicas":"2"}}
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/c {"version":1,"partitions":{"0":[1,2],"1":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/c/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/c/partitions/1/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic a ?
expect topic a count alive-unknown 1
expect topic a count offline 0
unreadable /brokers/ids no permission to read it
expect topic a ?
expect partition a 0 offline undecided
expect partition a 0 under-min undecided
expect partition a 0 under no
# Without a leader it is offline, whoever is up.
expect topic b offline
expect topic b count alive-unknown 0
expect partition b 0 offline yes
expect partition b 0 under-min yes
# Too small an ISR is too small under any leader; one that is large enough serves a live one only. At min is the ISR's size alone.
expect partition c 1 under-min yes
expect partition c 1 at-min no
expect partition c 0 under-min undecided
expect partition c 0 at-min yes
# A topic queued for deletion counts none as offline: nothing is left open.
children /admin/delete_topics a
expect topic a count alive-unknown 0
children /admin/delete_topics
expect topic a ?
clear
children /brokers/ids 1
expect changed a c
expect topic a ok
expect partition a 0 offline no
expect partition c 0 at-min yes
expect total alive-unknown 0
children /brokers/ids 2
expect topic a offline
