# The log dirs came before the lists that show whose they are: flagged when those are known, counted from the next answer on.
children /brokers/ids 1
dir /d1
holds gone 0 size=10
holds q 0 size=10
disks 1
expect dir 1 /d1 orphans 0
children /brokers/topics
expect dir 1 /d1 orphans 0
children /admin/delete_topics q
expect orphan 1 gone 0 0
expect dir 1 /d1 orphans 1
dir /d1
holds gone 0 size=10
disks 1
expect orphan 1 gone 0 1
