children /brokers/ids 1
children /admin/delete_topics
dir /d1
holds gone 0 size=10
disks 1
expect dir 1 /d1 orphans 0
children /brokers/topics
expect dir 1 /d1 orphans 1
