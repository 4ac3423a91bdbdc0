import java.io.File;
import java.nio.file.Files;
import java.time.LocalDate;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.BulkApi;
import org.openapitools.client.api.IssuingApi;
import org.openapitools.client.model.*;

public class Main {
  static void expect(boolean condition, String what) {
    if (!condition) throw new IllegalStateException(what + " failed");
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("GATEHOUSE_API"));
    client.setServerIndex(null);
    client.setBearerToken(System.getenv("GATEHOUSE_API_KEY"));
    IssuingApi issuing = new IssuingApi(client);
    BulkApi bulk = new BulkApi(client);

    File csv = File.createTempFile("graduates", ".csv");
    Files.writeString(csv.toPath(),
        "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n");
    LocalDate date = LocalDate.of(2026, 11, 20);
    CheckBatch200Response checked =
        bulk.checkBatch(csv, "First aid", null, date, null, null, null, null, null, null, null);
    expect(checked.getRows() == 2, "check");
    Document issued = issuing.issueDocument(new IssueDocumentBody()
        .recipient(new IssueDocumentBodyRecipient().name("Grace Student").email("grace@example.org"))
        .title("Record of results").type("Transcript")._file("QQ==").fileName("results.txt"), null);
    expect(issued.getMail().equals("postponed"), "unknown value");
    String id = issued.getId();
    expect(issuing.listDocuments(null, null, null, null, null, null, null, null).getData().stream()
        .anyMatch(each -> each.getId().equals(id)), "list");
    Document replaced = issuing.replaceDocument(id,
        new ReplaceDocumentBody()._file("Qg==").fileName("results.txt"), null);
    expect(replaced.getVersions().size() == 2, "replace");
    File file = issuing.downloadDocument(id, null, null);
    expect(Files.readString(file.toPath()).equals("B"), "download");
    Batch batch = bulk.createBatch(
        csv, "First aid", null, date, null, null, null, null, null, null, null, null);
    Batch sent = bulk.sendBatch(batch.getId(), new java.util.HashMap<>(), null);
    expect(sent.getId().equals(batch.getId()), "send");
    Document withdrawn =
        issuing.withdrawDocument(id, new WithdrawDocumentBody().reason("Annulled"), null);
    expect(withdrawn.getStatus().equals("withdrawn"), "withdraw");
  }
}
