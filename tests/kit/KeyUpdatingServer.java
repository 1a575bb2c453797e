import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * A TLS server for one connection: {@code java KeyUpdatingServer.java keystore.p12 password}.
 *
 * <p>Prints its port, then what it hears. Says what its standard input says, line by line, but for the
 * line K: then it sends a KeyUpdate that asks for the peer's.
 */
final class KeyUpdatingServer {
    public static void main(String[] arguments) throws Exception {
        char[] password = arguments[1].toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream file = new FileInputStream(arguments[0])) {
            keys.load(file, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(managers.getKeyManagers(), null, null);
        SSLServerSocket listener =
                (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
        System.out.println("port " + listener.getLocalPort());
        try (SSLSocket socket = (SSLSocket) listener.accept()) {
            Thread hearing = new Thread(() -> hear(socket));
            hearing.start();
            OutputStream out = socket.getOutputStream();
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                if (order.equals("K")) {
                    socket.startHandshake(); // once there was a handshake, TLS 1.3 updates keys instead
                } else {
                    out.write((order + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
            hearing.join();
        }
    }

    private static void hear(SSLSocket socket) {
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("heard " + line);
            }
        } catch (java.io.IOException ended) {
            System.out.println("ended: " + ended.getMessage());
        }
    }
}
