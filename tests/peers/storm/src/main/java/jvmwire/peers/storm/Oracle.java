package jvmwire.peers.storm;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.multilang.BoltMsg;
import org.apache.storm.multilang.JsonSerializer;
import org.apache.storm.multilang.NoOutputException;
import org.apache.storm.multilang.ShellMsg;
import org.apache.storm.multilang.SpoutMsg;

/**
 * Storm's own JsonSerializer. Lines on standard input: `read DIR` reads the messages of a component in
 * DIR/messages and says in DIR/values what each was taken for; `write DIR` writes what DIR/values says
 * to DIR/messages. Values are in the words of {@link Values}.
 */
public final class Oracle {
  private Oracle() {}

  public static void main(String[] args) throws Exception {
    System.out.println("READY oracle");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      String[] words = line.split(" ", 2);
      Path directory = Path.of(words[1]);
      int count = words[0].equals("read") ? read(directory) : write(directory);
      System.out.println("ANSWER " + count);
    }
  }

  private static int read(Path directory) throws IOException {
    int count = 0;
    try (InputStream messages = Files.newInputStream(directory.resolve("messages"));
        PrintWriter values = new PrintWriter(directory.resolve("values").toFile(), "UTF-8")) {
      JsonSerializer serializer = new JsonSerializer();
      serializer.initialize(new ByteArrayOutputStream(), messages);
      while (true) {
        ShellMsg message;
        try {
          message = serializer.readShellMsg();
        } catch (NoOutputException e) {
          return count;
        } catch (IOException | RuntimeException e) {
          values.println("refused " + e.toString().replace('\n', ' '));
          count++;
          continue;
        }
        values.println(Values.say(members(message)));
        count++;
      }
    }
  }

  private static List<Object> members(ShellMsg message) {
    List<Object> said = new ArrayList<>();
    said.add(message.getCommand());
    said.add(message.getId());
    said.add(message.getAnchors() == null ? List.of() : message.getAnchors());
    said.add(message.getStream());
    // As ShellBolt and ShellSpout take it.
    said.add((int) message.getTask());
    said.add(message.getMsg());
    said.add(message.getLogLevel().name());
    said.add(message.areTaskIdsNeeded());
    said.add(message.getTuple());
    said.add(message.getMetricName());
    said.add(message.getMetricParams());
    return said;
  }

  private static int write(Path directory) throws IOException {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    JsonSerializer serializer = new JsonSerializer();
    serializer.initialize(messages, new ByteArrayInputStream(new byte[0]));
    int count = 0;
    for (String line : Files.readAllLines(directory.resolve("values"))) {
      List<?> said = (List<?>) Values.read(line);
      switch ((String) said.get(0)) {
        case "tuple":
          BoltMsg tuple = new BoltMsg();
          tuple.setId((String) said.get(1));
          tuple.setComp((String) said.get(2));
          tuple.setStream((String) said.get(3));
          tuple.setTask(((Number) said.get(4)).longValue());
          tuple.setTuple(new ArrayList<>((List<?>) said.get(5)));
          serializer.writeBoltMsg(tuple);
          break;
        case "ids":
          List<Integer> ids = new ArrayList<>();
          for (Object id : (List<?>) said.get(1)) {
            ids.add((Integer) id);
          }
          serializer.writeTaskIds(ids);
          break;
        default:
          SpoutMsg command = new SpoutMsg();
          command.setCommand((String) said.get(0));
          command.setId(said.get(1));
          serializer.writeSpoutMsg(command);
      }
      count++;
    }
    Files.write(directory.resolve("messages"), messages.toByteArray());
    return count;
  }
}
