// SPDX-License-Identifier: Apache-2.0
//
// Topics, records and a consumer group for the sandbox, each in one short-lived
// process. Works with the client jar of each Kafka version of the sandbox.
//
//   KafkaTool topics SERVERS            standard input: NAME PARTITIONS RF [KEY=VALUE...]; RF may be @BROKER,BROKER...:
//                                       the replicas of each partition, also those of a broker that is down
//   KafkaTool fill SERVERS TOPIC BYTES  about so many bytes of values, over all partitions
//   KafkaTool scatter SERVERS BYTES     over all topics, to some much and to most little
//   KafkaTool produce SERVERS PER_SECOND [REGEX]
//                                       a light load until ended, on the topics that match
//   KafkaTool group SERVERS GROUP TOPIC reads TOPIC once as GROUP and commits, so that
//                                       __consumer_offsets exists

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

public class KafkaTool {
    private static final int VALUE_BYTES = 1000;
    private static final Random random = new Random(1);

    public static void main(String[] args) throws Exception {
        if (args.length < 2)
            throw new IllegalArgumentException("see the head of KafkaTool.java");
        switch (args[0]) {
        case "topics":
            topics(args[1]);
            break;
        case "fill":
            fill(args[1], args[2], Long.parseLong(args[3]));
            break;
        case "scatter":
            scatter(args[1], Long.parseLong(args[2]));
            break;
        case "produce":
            produce(args[1], Integer.parseInt(args[2]), args.length > 3 ? args[3] : "[^_].*");
            break;
        case "group":
            group(args[1], args[2], args[3]);
            break;
        default:
            throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    private static Properties properties(String servers) {
        Properties p = new Properties();
        p.put("bootstrap.servers", servers);
        p.put("client.id", "sandbox");
        return p;
    }

    private static void topics(String servers) throws Exception {
        List<NewTopic> wanted = new ArrayList<>();
        int failed = 0;
        try (AdminClient admin = AdminClient.create(properties(servers))) {
            int brokers = admin.describeCluster().nodes().get().size();
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line; (line = lines.readLine()) != null; )
                if (!line.trim().isEmpty() && !line.startsWith("#"))
                    wanted.add(topic(line.trim().split("\\s+"), brokers));
            for (Map.Entry<String, KafkaFuture<Void>> e : admin.createTopics(wanted).values().entrySet()) {
                try {
                    e.getValue().get();
                } catch (ExecutionException why) {
                    if (why.getCause() instanceof TopicExistsException)
                        continue;
                    System.err.println(e.getKey() + ": " + why.getCause());
                    failed++;
                }
            }
        }
        if (failed > 0)
            System.exit(1);
    }

    private static NewTopic topic(String[] field, int brokers) {
        Map<String, String> configs = new HashMap<>();
        for (int i = 3; i < field.length; i++) {
            String[] pair = field[i].split("=", 2);
            configs.put(pair[0], pair[1]);
        }
        int partitions = Integer.parseInt(field[1]);
        if (field[2].startsWith("@"))
            return new NewTopic(field[0], assignment(partitions, field[2].substring(1))).configs(configs);
        short rf = (short) Math.min(Integer.parseInt(field[2]), brokers);
        return new NewTopic(field[0], partitions, rf).configs(configs);
    }

    private static Map<Integer, List<Integer>> assignment(int partitions, String replicas) {
        List<Integer> ids = new ArrayList<>();
        for (String id : replicas.split(","))
            ids.add(Integer.valueOf(id));
        Map<Integer, List<Integer>> each = new HashMap<>();
        for (int p = 0; p < partitions; p++)
            each.put(p, ids);
        return each;
    }

    private static KafkaProducer<byte[], byte[]> producer(String servers) {
        Properties p = properties(servers);
        p.put("acks", "1");
        p.put("linger.ms", "5");
        p.put("max.block.ms", "5000");
        p.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        p.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        return new KafkaProducer<>(p);
    }

    private static byte[] bytes(int count) {
        byte[] value = new byte[count];
        random.nextBytes(value);
        return value;
    }

    private static void fill(String servers, String topic, long total) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = producer(servers)) {
            int partitions = producer.partitionsFor(topic).size();
            long sent = 0;
            for (int partition = 0; sent < total; partition = (partition + 1) % partitions) {
                int size = (int) Math.min(VALUE_BYTES, total - sent);
                producer.send(new ProducerRecord<>(topic, partition, bytes(8), bytes(size)),
                              (metadata, why) -> { if (why != null) failure.compareAndSet(null, why); });
                sent += size;
            }
        }
        if (failure.get() != null) {
            System.err.println(topic + ": " + failure.get());
            System.exit(1);
        }
    }

    private static void scatter(String servers, long total) throws Exception {
        try (AdminClient admin = AdminClient.create(properties(servers));
             KafkaProducer<byte[], byte[]> producer = producer(servers)) {
            List<String> names = shares(admin, "[^_].*", Collections.emptyList());
            learn(producer, new HashSet<>(names));
            for (long sent = 0; sent < total; sent += VALUE_BYTES)
                producer.send(new ProducerRecord<>(names.get(random.nextInt(names.size())), bytes(8), bytes(VALUE_BYTES)));
        }
    }

    // Asking for many topics at once: one after the other each takes a round.
    private static void learn(KafkaProducer<byte[], byte[]> producer, Set<String> names) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(names.size());
        for (String name : names)
            pool.submit(() -> producer.partitionsFor(name));
        pool.shutdown();
        pool.awaitTermination(30, TimeUnit.SECONDS);
    }

    private static void produce(String servers, int perSecond, String regex) throws Exception {
        try (AdminClient admin = AdminClient.create(properties(servers));
             KafkaProducer<byte[], byte[]> producer = producer(servers)) {
            List<String> names = Collections.emptyList();
            for (long tick = 0; ; tick++) {
                if (tick % 100 == 0)
                    names = shares(admin, regex, names);
                for (int i = 0; i < Math.max(1, perSecond / 10) && !names.isEmpty(); i++) {
                    String name = names.get(random.nextInt(names.size()));
                    try {
                        producer.send(new ProducerRecord<>(name, bytes(8), bytes(100 + random.nextInt(VALUE_BYTES))));
                    } catch (RuntimeException e) {
                        // The topic went, or its leader: the load goes on with the others.
                    }
                }
                Thread.sleep(100);
            }
        }
    }

    // Every topic has a share of its own: some get much, most get little. A
    // topic is in the list as often as its share says.
    private static List<String> shares(AdminClient admin, String regex, List<String> before) throws Exception {
        List<String> names = new ArrayList<>();
        try {
            for (String name : admin.listTopics().names().get())
                if (name.matches(regex))
                    names.addAll(Collections.nCopies(1 + 40 / (1 + Math.floorMod(name.hashCode(), 20)), name));
            return names;
        } catch (ExecutionException e) {
            return before;
        }
    }

    // This poll() is the only one that 1.1.1 and 3.9 both have; it waits for a
    // coordinator without end, so a watchdog ends the process.
    @SuppressWarnings("deprecation")
    private static void group(String servers, String group, String topic) {
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                System.err.println("group " + group + " got no partitions of " + topic + " within 30 s");
                Runtime.getRuntime().halt(1);
            }
        }, 30_000);
        Properties p = properties(servers);
        p.put("group.id", group);
        p.put("auto.offset.reset", "earliest");
        p.put("enable.auto.commit", "false");
        p.put("key.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        p.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(p)) {
            consumer.subscribe(Collections.singletonList(topic));
            while (consumer.assignment().isEmpty())
                consumer.poll(200);
            consumer.assignment().forEach(consumer::position);
            consumer.commitSync();
        }
    }
}
