/** Sets up documents of two records on a store in memory, for tests. */
import { createIssuers } from "../../issuers/issuers.ts";
import { createTestLog } from "../../log/testing/fixtures.ts";
import type { Config } from "../../../app/config.ts";
import { parseConfig } from "../../../app/config.ts";
import { addContact } from "../../contact/store.ts";
import { dueRowsJobs } from "../../../platform/jobs/mod.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { secretsOf } from "../../../base/secrets.ts";
import { createSurfaces } from "../../../platform/surfaces/mod.ts";
import {
  createDocuments,
  type DocumentRow,
  type Documents,
  type DocumentsOptions,
  type NewDocument,
} from "../mod.ts";
import { uploadMarkers } from "../files/uploads.ts";

export const BY = "admin@example.org";

/** The documents of two records, on a store in memory with the limits of Deno Deploy. */
export interface DocumentsFixture extends Disposable {
  kv: Deno.Kv;
  clock: { now: number };
  documents: Documents;
  records: [string, string];
  /** Adds a document to the first record and returns it. */
  add(body: Uint8Array | string, details?: Partial<NewDocument>): Promise<DocumentRow>;
  /** Returns the number of stored keys below a prefix. */
  count(...prefix: Deno.KvKey): Promise<number>;
  /** Returns the keys of everything that belongs to documents. */
  keys(): Promise<Deno.KvKey[]>;
}

const PREFIXES = [
  "documents",
  "documents_by_contact",
  "documents_by_hash",
  "documents_hidden_by_hash",
  "document_hashes_unsettled",
  "registrants",
  "registrants_in_order",
  "registrant_counts",
  "document_bytes",
  "document_uploads",
];

export async function documentsFixture(
  options: Partial<DocumentsOptions> = {},
): Promise<DocumentsFixture> {
  const kv = options.kv ?? limitKv(await openKv(":memory:"));
  const clock = { now: Date.parse("2026-03-01T10:00:00Z") };
  const config: Config = parseConfig({});
  const surfaces = createSurfaces(config);
  const records: [string, string] = ["a".repeat(64), "b".repeat(64)];
  const commit = kv.atomic();
  for (const hash of records) {
    const record = { email: "ada@example.org" } as Parameters<typeof addContact>[2]["record"];
    const salt = "0".repeat(64);
    addContact(commit, hash, { record, organisation: "commercial", salt, now: clock.now });
  }
  await commit.commit();
  const documents = createDocuments({
    clock: () => clock.now,
    config: () => config.documents,
    fetch,
    log: () => {},
    secrets: secretsOf(() => Promise.resolve([new Uint8Array(32)])),
    organisations: config.organisations,
    trustUrl: (path) => surfaces.url("trust", path)!,
    publicLog: createTestLog(kv, () => clock.now),
    issuers: createIssuers({ kv, clock: () => clock.now, organisations: config.organisations }),
    ...options,
    kv,
  });
  return {
    kv,
    clock,
    documents,
    records,
    async add(body, details) {
      const result = await documents.add({ ...newDocument(records[0]), ...details }, bodyOf(body));
      if (!result.ok) throw new Error(result.error);
      return result.document;
    },
    count: async (...prefix) => (await Array.fromAsync(kv.list({ prefix }))).length,
    keys: async () =>
      (await Promise.all(PREFIXES.map((prefix) => Array.fromAsync(kv.list({ prefix: [prefix] })))))
        .flat().map(({ key }) => key),
    [Symbol.dispose]: () => kv.close(),
  };
}

export const newDocument = (record: string): NewDocument => ({
  record,
  organisation: "commercial",
  title: "Certificate of Ada",
  kind: "Certificate",
  public: false,
  file_name: "certificate.txt",
  by: BY,
});

/** Returns a body that arrives in parts of uneven size. */
export function bodyOf(content: Uint8Array | string): ReadableStream<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = 1 + (at * 7919 + 12_345) % 100_000;
      controller.enqueue(bytes.subarray(at, at += size));
    },
  }, { highWaterMark: 0 });
}

/** Returns bytes that differ everywhere, so that a wrong part is noticed. */
export function someBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i + 4 <= size; i += 4) view.setUint32(i, Math.imul(i + 1, 0x9e3779b1));
  return bytes;
}

export const readBytes = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer());

/** Runs the job that deletes what is due, for unfinished uploads only. Returns its summary. */
export function removeUnfinished(
  { kv, now, documents }: { kv: Deno.Kv; now: number; documents: Documents },
): Promise<string | void> {
  const deletes = { document_uploads: documents.removeUnfinished };
  const [job] = dueRowsJobs({ kv, clock: () => now, tables: [uploadMarkers], deletes });
  const { signal } = new AbortController();
  return job.run({ cursor: null, signal, save: () => Promise.resolve() });
}
