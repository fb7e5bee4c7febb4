// SPDX-License-Identifier: Apache-2.0
//
// Messages of the Kafka protocol as Kafka's own classes write them, for the
// unit test of the wire layer.
//
//   Vectors write MESSAGES.json DIR   one file a message and version: DIR/<api>-v<N>-<kind>-<what>.hex
//   Vectors check MESSAGES.json DIR   fails unless this Kafka writes the same bytes, of those versions
//                                     that it has
//   Vectors errors                    error codes: value TAB name, a line each
//
// A file has a line about its origin, the frame in hex (size, header, body; client
// id "kc", correlation id 1), a line "---" and the fields as Kafka's class
// reads them from those bytes again, a line each: "results[0].logDir "/d1"". Names
// and order are those of the schema; what the version lacks has its default.
// Works by reflection, for the classes of 2.5 and 3.9 differ in their fields.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.utils.AppInfoParser;

public class Vectors {
    private static final String PACKAGE = "org.apache.kafka.common.message.";
    private static final int FIRST_FREE_TAG = 1000;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("errors")) {
            for (Errors error : Errors.values())
                System.out.println(error.code() + "\t" + error.name());
            return;
        }
        int[] counts = new int[2];
        for (JsonNode message : new ObjectMapper().readTree(new File(args[1])).get("messages"))
            for (short version : versions(message.get("versions").asText()))
                one(args[0].equals("check"), message, version, Path.of(args[2]), counts);
        System.out.println("Kafka " + AppInfoParser.getVersion() + ": " + counts[0] + " messages, "
            + counts[1] + " of versions it has not");
    }

    private static List<Short> versions(String text) {
        List<Short> all = new ArrayList<>();
        for (String range : text.split(",")) {
            String[] ends = range.split("-");
            for (int v = Integer.parseInt(ends[0]); v <= Integer.parseInt(ends[ends.length - 1]); v++)
                all.add((short) v);
        }
        return all;
    }

    private static void one(boolean check, JsonNode message, short version, Path dir, int[] counts) throws Exception {
        String api = message.get("api").asText(), kind = message.get("kind").asText();
        Message data = (Message) Class.forName(PACKAGE + api + kind + "Data").getConstructor().newInstance();
        if (version > data.highestSupportedVersion()) {
            counts[1]++;
            return;
        }
        ApiKeys key = apiKey(api);
        boolean flexible = key.requestHeaderVersion(version) >= 2;
        fill(data, message.get("fields"), version, flexible);
        byte[] body = bytes(data, version);
        String hex = hex(frame(key, kind, version, body));
        Path file = dir.resolve(api + "-v" + version + "-" + kind.toLowerCase() + "-" + message.get("what").asText() + ".hex");
        counts[0]++;
        if (check) {
            if (!Files.readString(file).split("\n")[1].equals(hex))
                throw new IOException(file + ": Kafka " + AppInfoParser.getVersion() + " writes " + hex);
            return;
        }
        StringBuilder text = new StringBuilder("# " + api + kind + "Data v" + version + ", Kafka " + AppInfoParser.getVersion() + "\n" + hex + "\n---\n");
        Message again = (Message) data.getClass().getConstructor().newInstance();
        again.read(new ByteBufferAccessor(ByteBuffer.wrap(body)), version);
        print(again, "", text);
        Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static ApiKeys apiKey(String name) {
        for (ApiKeys key : ApiKeys.values())
            if (key.name.equals(name))
                return key;
        throw new IllegalArgumentException(name);
    }

    // ---- bytes

    private static byte[] bytes(Message data, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(data.size(cache, version));
        data.write(new ByteBufferAccessor(buffer), cache, version);
        if (buffer.hasRemaining())
            throw new IllegalStateException("the size was not what was written");
        return buffer.array();
    }

    private static byte[] frame(ApiKeys key, String kind, short version, byte[] body) {
        byte[] header = kind.equals("Request")
            ? bytes(new RequestHeaderData().setRequestApiKey(key.id).setRequestApiVersion(version)
                .setCorrelationId(1).setClientId("kc"), key.requestHeaderVersion(version))
            : bytes(new ResponseHeaderData().setCorrelationId(1), key.responseHeaderVersion(version));
        return ByteBuffer.allocate(4 + header.length + body.length).putInt(header.length + body.length)
            .put(header).put(body).array();
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes)
            text.append(String.format("%02x", b));
        return text.toString();
    }

    private static byte[] unhex(String text) {
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < bytes.length; i++)
            bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
        return bytes;
    }

    // ---- from JSON to a message

    private static void fill(Message data, JsonNode fields, short version, boolean flexible) throws Exception {
        for (Iterator<Map.Entry<String, JsonNode>> it = fields.fields(); it.hasNext();) {
            Map.Entry<String, JsonNode> field = it.next();
            String[] name = field.getKey().split("@");
            if (name[0].equals("$tags")) {
                for (int i = 0; flexible && i < field.getValue().asInt(); i++)
                    data.unknownTaggedFields().add(new RawTaggedField(FIRST_FREE_TAG + i, new byte[70 * i + 3]));
            } else if (!name[0].startsWith("$") && (name.length == 1 || within(version, name[1]))) {
                Method set = setter(data.getClass(), name[0]);
                set.invoke(data, value(set.getGenericParameterTypes()[0], field.getValue(), version, flexible));
            }
        }
    }

    private static boolean within(short version, String range) {
        String[] ends = range.split("[-+]");
        return version >= Integer.parseInt(ends[0])
            && (range.endsWith("+") || version <= Integer.parseInt(ends[ends.length - 1]));
    }

    private static Method setter(Class<?> type, String field) {
        for (String name : field.split("\\|"))
            for (Method method : type.getMethods())
                if (method.getName().equalsIgnoreCase("set" + name))
                    return method;
        throw new IllegalArgumentException(type + " has no " + field);
    }

    private static Object value(Type type, JsonNode v, short version, boolean flexible) throws Exception {
        if (v.isNull())
            return null;
        if (type == boolean.class)
            return v.asBoolean();
        if (type == byte.class)
            return (byte) v.asInt();
        if (type == short.class)
            return (short) v.asInt();
        if (type == int.class)
            return v.asInt();
        if (type == long.class)
            return v.asLong();
        if (type == Integer.class)
            return v.asInt();
        if (type == String.class)
            return v.asText();
        if (type == byte[].class)
            return unhex(v.asText());
        if (v.isArray())
            return list(type, v, version, flexible);
        if (type instanceof Class && ((Class<?>) type).getSimpleName().equals("Uuid")) {
            ByteBuffer id = ByteBuffer.wrap(unhex(v.asText()));
            return ((Class<?>) type).getConstructor(long.class, long.class).newInstance(id.getLong(), id.getLong());
        }
        Message element = (Message) ((Class<?>) type).getConstructor().newInstance();
        fill(element, v, version, flexible);
        return element;
    }

    // A List<T>, or one of the generated collections that extend ImplicitLinkedHashMultiCollection<T>.
    @SuppressWarnings("unchecked")
    private static Object list(Type type, JsonNode array, short version, boolean flexible) throws Exception {
        boolean isList = type instanceof ParameterizedType;
        ParameterizedType of = (ParameterizedType) (isList ? type : ((Class<?>) type).getGenericSuperclass());
        Collection<Object> all = isList ? new ArrayList<>()
            : (Collection<Object>) ((Class<?>) type).getConstructor().newInstance();
        for (JsonNode element : array)
            for (int i = 0; i < (element.has("$repeat") ? element.get("$repeat").asInt() : 1); i++)
                all.add(value(of.getActualTypeArguments()[0], numbered(element, i), version, flexible));
        return all;
    }

    private static JsonNode numbered(JsonNode v, int i) {
        if (v.isTextual())
            return new TextNode(v.asText().replace("#", String.valueOf(i)));
        if (!v.isObject())
            return v;
        ObjectNode copy = ((ObjectNode) v).deepCopy();
        for (Iterator<String> it = v.fieldNames(); it.hasNext();) {
            String name = it.next();
            if (!(v.get(name) instanceof ArrayNode) && !name.startsWith("$"))
                copy.set(name, numbered(v.get(name), i));
        }
        return copy;
    }

    // ---- from a message to lines

    private static void print(Object v, String path, StringBuilder text) throws Exception {
        if (v instanceof Message) {
            for (Field field : v.getClass().getDeclaredFields()) {
                String name = field.getName();
                if (Modifier.isStatic(field.getModifiers()) || name.equals("_unknownTaggedFields") || name.equals("next") || name.equals("prev"))
                    continue;
                field.setAccessible(true);
                print(field.get(v), path.isEmpty() ? name : path + "." + name, text);
            }
        } else if (v instanceof Collection) {
            int i = 0;
            text.append(path).append(".size ").append(((Collection<?>) v).size()).append('\n');
            for (Object element : (Collection<?>) v)
                print(element, path + "[" + i++ + "]", text);
        } else {
            text.append(path).append(' ').append(plain(v)).append('\n');
        }
    }

    private static String plain(Object v) throws Exception {
        if (v instanceof byte[])
            return hex((byte[]) v);
        if (v instanceof String)
            return "\"" + v + "\"";
        if (v != null && v.getClass().getSimpleName().equals("Uuid")) {
            ByteBuffer id = ByteBuffer.allocate(16);
            for (String half : new String[] { "getMostSignificantBits", "getLeastSignificantBits" })
                id.putLong((long) v.getClass().getMethod(half).invoke(v));
            return hex(id.array());
        }
        return String.valueOf(v);
    }
}
