import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Takes URLs, each with a number of times. Requests each that often, and prints what the caller of each request sees. */
class Client {
  public static void main (String[] args) {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int index = 0; index < args.length; index += 2) {
      for (int times = Integer.parseInt(args[index + 1]); times > 0; times--) {
        try {
          var request = HttpRequest.newBuilder(URI.create(args[index])).build();
          var response = client.send(request, HttpResponse.BodyHandlers.ofString());
          var isWhole = response.body().endsWith("]"); // Java has no JSON parser
          System.out.print((isWhole ? response.statusCode() : "failed") + " ");
        } catch (Exception error) {
          System.out.print("failed ");
        }
      }
    }
  }
}
