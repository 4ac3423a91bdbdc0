import { BulkApi, Configuration, IssuingApi } from "./client/index";
import { api, CSV, expect, key } from "./shared";

const configuration = new Configuration({ basePath: api, accessToken: key });
const [issuing, bulk] = [new IssuingApi(configuration), new BulkApi(configuration)];
const batch = {
  body: new Blob([CSV], { type: "text/csv" }),
  title: "First aid",
  date: new Date("2026-11-20"),
};

expect((await bulk.checkBatch(batch)).rows === 2, "check");
const issued = await issuing.issueDocument({
  issueDocumentBody: {
    recipient: { name: "Grace Student", email: "grace@example.org" },
    title: "Record of results",
    type: "Transcript",
    file: "QQ==",
    fileName: "results.txt",
  },
});
expect(issued.mail === "postponed", "unknown value");
const { id } = issued;
const { data } = await issuing.listDocuments();
expect(data.some((each) => each.id === id), "list");
const replaced = await issuing.replaceDocument({
  id,
  replaceDocumentBody: { file: "Qg==", fileName: "results.txt" },
});
expect(replaced.versions.length === 2, "replace");
expect(await (await issuing.downloadDocument({ id })).text() === "B", "download");
const created = await bulk.createBatch(batch);
expect((await bulk.sendBatch({ id: created.id, body: {} })).id === created.id, "send");
const withdrawn = await issuing.withdrawDocument({
  id,
  withdrawDocumentBody: { reason: "Annulled" },
});
expect(withdrawn.status === "withdrawn", "withdraw");
