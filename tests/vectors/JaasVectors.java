// SPDX-License-Identifier: Apache-2.0
//
// Prints tests/vectors/jaas.tsv: see the README beside it.
// A table by hand, then random inputs of the pieces that mean something.

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

class JaasVectors {
    private static final String M = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String[] TABLE = {
        "", ";", M, M + ";", M + " required", M + " required;", M + " required ;", M + "\trequired\n;", M + " REQUIRED;",
        M + " Requisite;", M + " sufficient;", M + " optional;", M + " needed;", M + " 'required';", M + " \"required\";",
        M + " required username=\"a\" password=\"b\";", M + " required username='a' password='b';",
        M + " required username=\"a\" password=\"b\"", M + " required username=\"a\", password=\"b\";",
        M + " required username=a password=b;", M + " required username=\"a\"password=\"b\";", M + " required a = \"b\" ;",
        M + " required a=\"\";", M + " required a=\"x\" a=\"y\";", M + " required a=1;", M + " required a=\"1\";",
        M + " required a=1b;", M + " required a=b1;", M + " required a=-b;", M + " required a=b-c;", M + " required a=b.c;",
        M + " required a=.b;", M + " required a=b_c$d;", M + " required _a=\"b\";", M + " required $a=\"b\";",
        M + " required a-b=\"c\";", M + " required 1a=\"b\";", M + " required \"a b\"=\"c\";", M + " required a=b/c;",
        M + " required a=\"b/c\";", M + " required a=\"b//c\";", M + " required a=\"/*b*/\";", M + " required a=b@c;",
        M + " required a=\"b@c\";", M + " required a=true;", M + " required a==\"b\";", M + " required a;",
        M + " required a=;", M + " required =\"b\";", M + " required a \"b\";", M + " required a:\"b\";",
        M + " required a=\"b\\\"c\";", M + " required a=\"b'c\";", M + " required a='b\"c';", M + " required a=\"b\\\\c\";",
        M + " required a=\"b\\\\\";", M + " required a=\"b\\n\\t\\r\\f\\a\\b\\v\";", M + " required a=\"\\q\\'\\\"\\;\";",
        M + " required a=\"\\0\";", M + " required a=\"\\1\\12\\101\\377\\400\\477\\777\\18\\8\\9\";",
        M + " required a=\"\\u0041\";", M + " required a=\"b\nc\";", M + " required a=\"b\n;", M + " required a=\"b\r;",
        M + " required a=\"b;", M + " required a=\"b\\", M + " required a=\"b\\\nc\";", M + " required a=\"#;=\";",
        "// c\n" + M + " required;", "/* c */ " + M + " required;", M + " /* c */ required // d\n;", M + " required; // c",
        M + " required; /* c", M + " required / c\n;", "/ c\n" + M + " required;", "# c\n" + M + " required;",
        M + " required; " + M + " required;", M + " required;;", M + " required; x", "\"" + M + " required;\"",
        "KafkaClient { " + M + " required; };", "'a b' required;", "1 required;", "- required;", "x required;", "x 1;", "x =;",
        M + " required a=\"\u00e9\u4e2d\ud83d\ude00\";", M + " required a=\u00e9;", M + " required a=\u4e2d\ud83d\ude00;",
        M + " required \u00e9=\"b\";", M + " required a=\u0085;", M + " required a=\u00a0;", M + " required\u00a0a=\"b\";",
        M + " required a=\"b\" \u0001;", M + " required\u0001;", M + " required a=\"\u0001\";", M + " required a=\"\u007f\";",
        M + " required a=\u007f;", M + " required a=b\u007f;", M + " required a={b};", M + " required a=\"${b}\";",
        "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\"/etc/x.keytab\" principal=\"a/b@C\";",
        "com.sun.security.auth.module.Krb5LoginModule required keyTab=/etc/x.keytab;",
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"a\";",
        "a.b.C required x=-1;", "a.b.C required x=-.5;", "a.b.C required x=--;", "a.b.C required x=.;", "a.b.C required .=\"b\";",
        "a.b.C required x=\"y\" ;\n", "\n a.b.C\n required\n x=\"y\"\n;\n", "a.b.C required x=\"y\"\\;", "a.b.C required x=\"y\\\";",
        "a.b.C required x='y\\'z';", "a.b.C required x='y\" z=\"w';", "a.b.C required x=\"y\" /;", "a.b.C required x=\"y\" //;",
        "a.b.C required x=\"y\" /**/;", "a.b.C required x=\"y\" /*/;", "a.b.C required x=\"y\" /***/;", "a.b.C required x=/**/\"y\";",
    };

    private static final String[] PIECES = {
        "a.B", " required", " ", " ", "\n", "\r", "x", "=", "=", "\"", "\"", "'", "\\", "\\\"", ";", ";", "1", "-", ".", "/", "//", "/*", "*/",
        "\"y\"", "x=\"y\"", " x=y", "\\101", "\\7", "\u00e9", "\ud83d\ude00", "{", "#", "\t", "\u0085",
    };

    private static final String[] STARTS = { "", "a.B required x=", "a.B required x=\"", "a.B required x='", "a.B required " };
    private static final String[] ENDS = { ";", ";", "\";", "';", ";", "", ";", "\" ;", "';", " z=\"\";" };

    public static void main(String[] args) {
        Random random = new Random(20240817);
        System.out.println("# JaasContext.loadClientContext of kafka-clients "
            + org.apache.kafka.common.utils.AppInfoParser.getVersion());
        for (String input : TABLE)
            print(input);
        for (int i = 0; i < 900; i++) {
            StringBuilder input = new StringBuilder(STARTS[i % STARTS.length]);
            for (int n = 1 + random.nextInt(8); n > 0; n--)
                input.append(PIECES[random.nextInt(PIECES.length)]);
            print(input + ENDS[i % ENDS.length]);
        }
    }

    private static void print(String input) {
        StringBuilder line = new StringBuilder();
        for (byte b : input.getBytes(StandardCharsets.UTF_8))
            line.append(String.format("%02x", b));
        line.append('\t');
        try {
            AppConfigurationEntry entry = read(input);
            TreeMap<String, String> sorted = new TreeMap<>();
            for (Map.Entry<String, ?> option : entry.getOptions().entrySet())
                sorted.put(hex(option.getKey()), hex((String) option.getValue()));
            line.append("ok\t").append(hex(entry.getLoginModuleName())).append(',').append(flag(entry));
            for (var option : sorted.entrySet())
                line.append(',').append(option.getKey()).append('=').append(option.getValue());
        } catch (Exception e) {
            line.append("error\t").append(("" + e.getMessage()).replaceAll("[^ -~]", "?"));
        }
        System.out.println(line);
    }

    private static AppConfigurationEntry read(String input) {
        List<AppConfigurationEntry> entries = JaasContext.loadClientContext(
            Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(input))).configurationEntries();
        if (entries.size() != 1)
            throw new IllegalArgumentException(entries.size() + " entries");
        return entries.get(0);
    }

    private static String flag(AppConfigurationEntry entry) {
        return entry.getControlFlag().toString().replaceAll(".*: ", "");
    }

    /** Null for the key that Kafka doesn't see is missing. */
    private static String hex(String s) {
        StringBuilder out = new StringBuilder();
        if (s == null)
            return "null";
        for (int i = 0; i < s.length(); i++)
            out.append(String.format("%04x", (int) s.charAt(i)));
        return out.toString();
    }
}
