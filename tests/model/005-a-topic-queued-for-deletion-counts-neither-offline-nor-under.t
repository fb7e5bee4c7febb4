children /brokers/ids 1 2
children /brokers/topics a
znode /brokers/topics/a {"version":1,"partitions":{"0":[1,2]}}
znode /brokers/topics/a/partitions/0/state {"controller_epoch":1,"leader":-1,"version":1,"leader_epoch":0,"isr":[1]}
expect topic a offline
expect total offline 1
children /admin/delete_topics a gone
expect topic a deleting
expect topic a count offline 0
expect topic a count under 0
expect topic a count not-preferred 0
expect total offline 0
# The marker goes, the topic stays.
children /admin/delete_topics gone
expect topic a offline
expect topic a count under 1
expect topic a count not-preferred 1
# A marker may come before its topic.
children /brokers/topics a gone
expect topic gone deleting
