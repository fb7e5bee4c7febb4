// SPDX-License-Identifier: Apache-2.0
//
// Whom would Java trust? For tests/stores.sh.
//
//   java Trusted.java PASSWORD STORE...    a line a store: the subjects, sorted, with a blank before each

import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.TreeSet;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

class Trusted {
    public static void main(String[] args) throws Exception {
        for (int i = 1; i < args.length; i++) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (FileInputStream in = new FileInputStream(args[i])) {
                store.load(in, args[0].toCharArray());
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            TreeSet<String> subjects = new TreeSet<>();
            for (X509Certificate c : ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers())
                subjects.add(" " + c.getSubjectX500Principal().getName());
            System.out.println(String.join("", subjects));
        }
    }
}
