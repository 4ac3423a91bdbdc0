import { client } from "./client/client.gen";
import {
  checkBatch,
  createBatch,
  downloadDocument,
  issueDocument,
  listDocuments,
  replaceDocument,
  sendBatch,
  withdrawDocument,
} from "./client/sdk.gen";
import { api, BATCH, CSV, DOCUMENT, expect, key, VERSION } from "./shared";

client.setConfig({ baseUrl: api, auth: key });
const options = { throwOnError: true, baseUrl: api } as const;
const body = new Blob([CSV], { type: "text/csv" });

const checked = await checkBatch({ ...options, body, query: BATCH });
expect(checked.data.rows === 2, "check");
const issued = await issueDocument({ ...options, body: DOCUMENT });
expect(issued.data.mail === "postponed", "unknown value");
const path = { id: issued.data.id };
const list = await listDocuments(options);
expect(list.data.data.some(({ id }) => id === path.id), "list");
const replaced = await replaceDocument({ ...options, path, body: VERSION });
expect(replaced.data.versions.length === 2, "replace");
const file = await downloadDocument({ ...options, path, parseAs: "blob" });
expect(await (file.data as Blob).text() === "B", "download");
const batch = await createBatch({ ...options, body, query: BATCH });
const sent = await sendBatch({ ...options, path: { id: batch.data.id }, body: {} });
expect(sent.data.id === batch.data.id, "send");
const withdrawn = await withdrawDocument({ ...options, path, body: { reason: "Annulled" } });
expect(withdrawn.data.status === "withdrawn", "withdraw");
