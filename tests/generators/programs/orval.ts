/** A program that uses the API with a client that `orval` generates, to try the OpenAPI document. */
import {
  checkBatch,
  createBatch,
  downloadDocument,
  issueDocument,
  listDocuments,
  replaceDocument,
  sendBatch,
  withdrawDocument,
} from "./client";
import { api, BATCH, CSV, DOCUMENT, expect, key, VERSION } from "./shared";

// The generated functions call `fetch` with the paths of the API.
const original = globalThis.fetch;
globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${key}`);
  if (!headers.has("content-type")) {
    headers.set("content-type", init.body instanceof Blob ? "text/csv" : "application/json");
  }
  return original(new URL(String(input), api), { ...init, headers });
};

const csv = new Blob([CSV], { type: "text/csv" });
const checked = await checkBatch(csv, BATCH);
if (checked.status !== 200) throw new Error("check failed");
expect(checked.data.rows === 2, "check");
const issued = await issueDocument(DOCUMENT);
if (issued.status !== 201) throw new Error("issue failed");
expect(issued.data.mail === "postponed", "unknown value");
const { id } = issued.data;
const list = await listDocuments();
expect(list.status === 200 && list.data.data.some((each) => each.id === id), "list");
const replaced = await replaceDocument(id, VERSION);
expect(replaced.status === 200 && replaced.data.versions.length === 2, "replace");
const file = await downloadDocument(id);
expect(file.status === 200 && await (file.data as Blob).text() === "B", "download");
const batch = await createBatch(csv, BATCH);
if (batch.status !== 201) throw new Error("batch failed");
const sent = await sendBatch(batch.data.id, {});
expect(sent.status === 200, "send");
const withdrawn = await withdrawDocument(id, { reason: "Annulled" });
expect(withdrawn.status === 200 && withdrawn.data.status === "withdrawn", "withdraw");
