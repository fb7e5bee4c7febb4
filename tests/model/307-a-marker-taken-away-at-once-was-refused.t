# A marker that is gone at once while the topic stays was refused; the controller's setting makes that certain.
scene a-on-three-brokers
at 1020000
children /admin/delete_topics a
stat czxid=30 ctime=1020000
znode /admin/delete_topics/a
at 1020050
children /admin/delete_topics
expect deletion a refused likely T13
expect deletion a act delete.topic.enable was probably false on the controller of that moment, broker 1
settings 1 delete.topic.enable=false
expect deletion a refused certain T13
