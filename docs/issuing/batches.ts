/** Issues many certificates from a CSV file: the samples in TypeScript for operations on batches. */
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { dataOf, gatehouse } from "./gatehouse.ts";

// region checkBatch
const checked = await gatehouse.POST("/api/documents/batches/check", {
  params: { query: { title: "Certificate III in Individual Support", date: "2026-11-20" } },
  headers: { "content-type": "text/csv" },
  body: await readFile("graduates.csv", "utf8"),
}).then(dataOf);
console.log(checked.rows, "rows without problems");
// end region

// region createBatch
const created = await gatehouse.POST("/api/documents/batches", {
  params: {
    query: { title: "Certificate III in Individual Support", date: "2026-11-20" },
    header: { "Idempotency-Key": "graduates-2026-11-20" },
  },
  headers: { "content-type": "text/csv" },
  body: await readFile("graduates.csv", "utf8"),
}).then(dataOf);
console.log(created.id);
// end region

// region readBatch
let batch = created;
do {
  batch = await gatehouse.GET("/api/documents/batches/{id}", {
    params: { path: { id: created.id } },
  }).then(dataOf);
  console.log(`${batch.state}: ${batch.issued} of ${batch.rows}`);
  if (batch.state === "issuing") await setTimeout(5_000);
} while (batch.state === "issuing");
// end region

// region sendBatch
await gatehouse.POST("/api/documents/batches/{id}/send", {
  params: { path: { id: batch.id } },
  body: {},
}).then(dataOf);
// end region

// region readBatchResults
const results = await gatehouse.GET("/api/documents/batches/{id}/results", {
  params: { path: { id: batch.id } },
  parseAs: "text",
}).then(dataOf);
await writeFile("results.csv", results);
// end region

// region listBatches
const batches = await gatehouse.GET("/api/documents/batches").then(dataOf);
for (const { id, file_name, state } of batches.data) console.log(id, file_name, state);
// end region

batch = await gatehouse.POST("/api/documents/batches", {
  params: { query: { title: "Certificate III in Individual Support", date: "2026-11-20" } },
  headers: { "content-type": "text/csv" },
  body: await readFile("graduates.csv", "utf8"),
}).then(dataOf);

// region cancelBatch
await gatehouse.POST("/api/documents/batches/{id}/cancel", {
  params: { path: { id: batch.id } },
  body: {},
}).then(dataOf);
// end region
