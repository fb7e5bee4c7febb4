children /brokers/ids 1 2 3
children /brokers/topics a b
# The config is written before the topic, and read before it too.
children /config/topics a
stat mtime=50
znode /config/topics/a {"version":1,"config":{"min.insync.replicas":"2"}}
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2,3]}}
znode /brokers/topics/b {"version":1,"partitions":{"0":[1,2,3]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic a count at-min 1
expect topic a under
expect topic b count min-unknown 1
expect topic b count under-min 0
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic a under-min
# Without a leader it is under whatever the minimum is.
znode /brokers/topics/b/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic b count under-min 1
expect topic b offline
# The override goes.
znode /config/topics/a {"version":1,"config":{}}
expect topic a count min-unknown 1
expect topic a overrides 0
expect topic a config present
expect topic b config absent
# A list of configs read before the topics says as much of those it doesn't name.
children /brokers/topics a b c
expect topic c config absent
