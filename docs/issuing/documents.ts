/** Issues, reads and withdraws documents: the samples in TypeScript for operations on documents. */
import { readFile, writeFile } from "node:fs/promises";
import { dataOf, gatehouse } from "./gatehouse.ts";

// region readIssuer
const issuer = await gatehouse.GET("/api/documents/issuer").then(dataOf);
console.log(`${issuer.name}, ${issuer.test ? "test" : "live"} mode`);
// end region

// region issueDocument: Make a certificate
const document = await gatehouse.POST("/api/documents", {
  body: {
    recipient: { name: "Grace Student", email: "grace@example.org" },
    title: "Certificate III in Early Childhood Education",
    type: "Certificate",
    date: "2026-11-20",
    external_id: "2026-0117",
    template: {
      name: "certificate",
      fields: { subtitle: "CHC30121", grade: "Competent", signatory: "Ruth Harbour" },
    },
  },
}).then(dataOf);
console.log(document.id, document.url);
// end region

// region checkNewDocument
const { left_out } = await gatehouse.POST("/api/documents/check", {
  body: {
    recipient: { name: "Grace Student", email: "grace@example.org" },
    title: "Record of results",
    type: "Transcript",
    file: (await readFile("transcript.pdf")).toString("base64"),
    file_name: "transcript.pdf",
  },
}).then(dataOf);
console.log("The copy leaves out:", left_out);
// end region

// region issueDocument: Issue a file of your own
const transcript = await gatehouse.POST("/api/documents", {
  body: {
    recipient: { name: "Grace Student", email: "grace@example.org" },
    title: "Record of results",
    type: "Transcript",
    external_id: "2026-0118",
    file: (await readFile("transcript.pdf")).toString("base64"),
    file_name: "transcript.pdf",
  },
}).then(dataOf);
console.log(transcript.url);
// end region

// region issueDocument: Issue it once, however often you send it
const once = await gatehouse.POST("/api/documents", {
  params: { header: { "Idempotency-Key": "certificate-2026-0119" } },
  body: {
    recipient: { name: "Alan Student", email: "alan@example.org" },
    title: "First aid",
    type: "Certificate",
    date: "2026-11-24",
    external_id: "2026-0119",
    template: { name: "certificate" },
  },
}).then(dataOf);
console.log(once.id); // the same for 24 hours
// end region

// region readDocument
const { status, recipient } = await gatehouse.GET("/api/documents/{id}", {
  params: { path: { id: document.id } },
}).then(dataOf);
console.log(status, recipient.status);
// end region

// region listDocuments
let cursor: string | undefined;
do {
  const page = await gatehouse.GET("/api/documents", {
    params: { query: { recipient_status: "waiting", limit: 100, cursor } },
  }).then(dataOf);
  for (const { external_id, title } of page.data) console.log(external_id, title);
  cursor = page.next_cursor ?? undefined;
} while (cursor !== undefined);
// end region

// region downloadDocument
const file = await gatehouse.GET("/api/documents/{id}/file", {
  params: { path: { id: document.id } },
  parseAs: "arrayBuffer",
}).then(dataOf);
await writeFile("issued.pdf", new Uint8Array(file));
// end region

// region resendDocument
await gatehouse.POST("/api/documents/{id}/resend", {
  params: { path: { id: document.id } },
  body: {},
}).then(dataOf);
// end region

// region simulateRecipient
const accepted = await gatehouse.POST("/api/documents/{id}/simulate", {
  params: { path: { id: document.id } },
  body: { as: "accepted" },
}).then(dataOf);
console.log(accepted.recipient.status);
// end region

// region replaceDocument
const corrected = await gatehouse.POST("/api/documents/{id}/versions", {
  params: { path: { id: document.id } },
  body: { template: { name: "certificate", fields: { grade: "Competent with distinction" } } },
}).then(dataOf);
console.log(`Version ${corrected.versions.length}`);
// end region

// region withdrawDocument
const withdrawn = await gatehouse.POST("/api/documents/{id}/withdraw", {
  params: { path: { id: document.id } },
  body: { reason: "The assessment was annulled." },
}).then(dataOf);
console.log(withdrawn.status);
// end region

// region revokeKey
await gatehouse.POST("/api/keys/revoke", { body: { key: process.env.LEAKED_KEY! } }).then(dataOf);
// end region
