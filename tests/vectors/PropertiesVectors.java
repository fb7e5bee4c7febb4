// SPDX-License-Identifier: Apache-2.0
//
// Prints tests/vectors/properties.tsv: see the README beside it.
// A table by hand, then random inputs of the bytes that mean something.

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;

class PropertiesVectors {
    private static final String[] TABLE = {
        "", "\n", "a", "a=", "=", ":", "=b", " = b", "a=b", "a:b", "a b", "a\tb", "a\fb", "a = b", "a : b", "a\t=\tb",
        "a==b", "a=:b", "a:=b", "a = = b", "a  b", "a = b ", "a=b\t", "a b=c", "a b:c=d", "a\\ b=c", "a\\=b=c",
        "a\\:b:c", "\\=a", "\\:a=b", "\\ a=b", "a\\\\=b", "a\\\\\\=b", "a=\\ b", "a= \\ b", "a=\\\tb", "a=b\\ ",
        "#c\na=b", "!c\na=b", " #c\na=b", "\t!c\na=b", "a=#b", "a=b#c", "a#=b", "\\#a=b", "\\!a=b", "#c\\\na=b",
        "a=b\\\nc", "a=b\\\n  c", "a=b\\\n\tc", "a=b\\\r\nc", "a=b\\\rc", "a=b\\\n\rc", "a=b\\\n\nc=d", "a=b\\\n \nc=d",
        "a=b\\\r\n\r\nc=d", "a=b\\\n#c", "a=b\\\n!c", "\\\n#c\na=b", "\\\na=b", "\\\n\na=b", "\\\n \\\n a=b", "a\\\n=b",
        "a\\\n  b=c", "a=\\\n", "a=\\\n\\\n\\\nb", "a=b\\\\\nc=d", "a=b\\\\\\\nc=d", "a=b\\", "a=b\\\\", "a\\", "\\", "\\\n",
        "\\\r\n", "\\\r", "\\\\", "a=\\", "a=b\\\n", "a=b\\\r\n", "a=b\\\n ", "a=b\r", "a=b\r\n", "a=b\n\r\n", "a\rb\nc\r\nd",
        "a=\\t\\n\\r\\f", "a=\\b\\v\\0\\x\\q\\\"\\'", "\\t=a", "a\\n=b", "a=\\u0041", "a=\\u00e9\\u4e2d", "\\u0061=b",
        "a=\\u00E9", "a=\\u00eF", "a=\\u", "a=\\u0", "a=\\u00", "a=\\u004", "a=\\u004\nb=c", "a=\\u00g0", "a=\\uu0041",
        "a=\\U0041", "a=\\\\u0041", "a=\\\\\\u0041", "a=\\u00\\\n41", "a=\\\nu0041", "a=\\u0020", "a=\\u0020b", "a\\u0020b=c",
        "a\\u003db=c", "a\\u003Db", "a=\\u000ab", "a=\\u005cn", "a=\\u005c", "a=\\u0000", "a=\\u0023", "\\u0023a=b",
        "a=\\ud83d\\ude00", "a=\\uD83D\\uDE00", "a=\\ud83d", "a=\\ude00", "a=\\ude00\\ud83d", "a=\\ud83dx", "a=\\ud83d\\u0041",
        "a=\\ud83d\\n", "a=\\ud83d\\", "\\ud83d\\ude00=b", "a=\\uffff", "a=\\ufeff", "a=b\na=c", "a=b\na", "a=b\na\\\n=c",
        "a=b\nb=c\na=d\nb=e", "a=b\n\\u0061=c", "\0=a", "a=\0", "a\0=b", "a=\u00e9", "\u00e9=a", "a=\u00ff\u0080", "a\u00a0=b",
        "a\u00a0b", "a=\u0085b", "a\u000bb", "a=\u000b", "\u000ba=b", "a=\u001b[31m", "a=\u007f", "  a=b", "\f\t a=b",
        "a=b\f", "a\f\f\fb", "a =b", "a= b", "a =: b", "a \\= b", "a\\ = b", "a= #b", "a=!b", "a\n=b", "a=\n=b", "a\n\n\nb",
        "#", "!", "#\n", "# \\\n", "#a\rb=c", "#a\r\nb=c", "a=b\n#", "a=b\n#c", "a=b\\\n#c\nd=e", "key with blanks",
        "truststore=C:\\\\certs\\\\trust.jks", "truststore=C:\\certs\\new.jks", "truststore=C:\\users\\x", "p=s3cret ",
        "sasl.jaas.config=org.x.PlainLoginModule required \\\n  username=\"a\" \\\n  password=\"b\\\\\"c\";",
        "k=-----BEGIN X-----\\n\\\nAAAA\\n\\\n-----END X-----", "a='b'", "a=\"b\"", "[a]\nb=c", "a=b;c", "a=${b}", "a=%41",
    };

    private static final String[] PIECES = {
        "\\", "\\", "\n", "\n", "\r", "\r\n", " ", "\t", "\f", "=", ":", "#", "!", "a", "b", "u", "n", "0", "\\u0041",
        "\\u00e9", "\\ud83d\\ude00", "\\u", "\u00e9", "\\\n", "\\\r\n", "key=", "\0", "\u000b",
    };

    public static void main(String[] args) {
        Random random = new Random(20240817);
        System.out.println("# java.util.Properties of Java " + System.getProperty("java.version"));
        for (String input : TABLE)
            print(input);
        for (int i = 0; i < 1200; i++) {
            StringBuilder input = new StringBuilder();
            for (int n = 1 + random.nextInt(12); n > 0; n--)
                input.append(PIECES[random.nextInt(PIECES.length)]);
            print(input.toString());
        }
    }

    private static void print(String input) {
        byte[] bytes = input.getBytes(StandardCharsets.ISO_8859_1);
        StringBuilder line = new StringBuilder();
        for (byte b : bytes)
            line.append(String.format("%02x", b));
        line.append('\t');
        try {
            Properties properties = new Properties();
            properties.load(new ByteArrayInputStream(bytes));
            TreeMap<String, String> sorted = new TreeMap<>();
            for (String key : properties.stringPropertyNames())
                sorted.put(hex(key), hex(properties.getProperty(key)));
            line.append("ok\t");
            String comma = "";
            for (var entry : sorted.entrySet()) {
                line.append(comma).append(entry.getKey()).append('=').append(entry.getValue());
                comma = ",";
            }
        } catch (Exception e) {
            line.append("error\t");
        }
        System.out.println(line);
    }

    private static String hex(String s) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < s.length(); i++)
            out.append(String.format("%04x", (int) s.charAt(i)));
        return out.toString();
    }
}
