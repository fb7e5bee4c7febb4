// SPDX-License-Identifier: Apache-2.0
//
// Asks or calls the MBeans of a Java process of ours by its pid, through the
// attach API: the process needs no JMX port.
//
//   Jmx PID get NAME [ATTRIBUTE]   NAME is an object name (wildcards allowed) or
//                                  just the name= of one of Kafka's metrics
//   Jmx PID call NAME OPERATION    a call without arguments
//
// A single answer is printed bare, several as "object attribute value".

import com.sun.tools.attach.VirtualMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

public class Jmx {
    public static void main(String[] args) throws Exception {
        if (args.length < 3)
            fail("usage: Jmx PID get NAME [ATTRIBUTE] | PID call NAME OPERATION");
        ObjectName name = new ObjectName(args[2].contains(":") ? args[2] : "kafka.*:name=" + args[2] + ",*");
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(attach(args[0])))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            Set<ObjectName> found = new TreeSet<>(server.queryNames(name, null));
            if (found.isEmpty())
                fail("no MBean " + name);
            if (args[1].equals("call"))
                for (ObjectName bean : found)
                    server.invoke(bean, args[3], null, null);
            else
                print(server, found, args.length > 3 ? args[3] : null);
        }
        System.exit(0);
    }

    private static String attach(String pid) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(pid);
        try {
            return vm.startLocalManagementAgent();
        } finally {
            vm.detach();
        }
    }

    private static void print(MBeanServerConnection server, Set<ObjectName> beans, String wanted) throws Exception {
        List<String> lines = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (ObjectName bean : beans) {
            for (MBeanAttributeInfo info : server.getMBeanInfo(bean).getAttributes()) {
                if (wanted != null && !info.getName().equals(wanted))
                    continue;
                try {
                    Object value = server.getAttribute(bean, info.getName());
                    values.add(value);
                    lines.add(bean + " " + info.getName() + " " + value);
                } catch (Exception e) {
                    if (wanted != null)
                        throw e;
                }
            }
        }
        if (lines.isEmpty())
            fail("no such attribute");
        if (values.size() == 1)
            System.out.println(values.get(0));
        else
            lines.forEach(System.out::println);
    }

    private static void fail(String why) {
        System.err.println(why);
        System.exit(1);
    }
}
