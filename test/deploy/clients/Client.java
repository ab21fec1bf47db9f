import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Takes URLs, each with a number: sends each that many times, one after the other, and prints what a caller of each request sees. */
class Client {
  public static void main (String[] args) {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int index = 0; index < args.length; index += 2) {
      for (int times = Integer.parseInt(args[index + 1]); times > 0; times--) {
        try {
          var response = client.send(HttpRequest.newBuilder(URI.create(args[index])).build(), HttpResponse.BodyHandlers.ofString());
          System.out.print((response.body().endsWith("]") ? response.statusCode() : "failed") + " "); // Java parses no JSON
        } catch (Exception error) {
          System.out.print("failed ");
        }
      }
    }
  }
}
