/**
 * A process that uploads documents until it is killed. It prints `ready`, waits for a line, and prints
 * a line for each part that it uploads.
 *
 *     deno run -A documents_crash_child.ts <store> <record>
 */
import { openKv } from "../lib/platform/kv/mod.ts";
import { crashDocuments } from "./documents_crash_store.ts";

const [path, record] = Deno.args;
const documents = crashDocuments(await openKv(path), Date.now);
const line = new TextEncoder().encode("1\n");
const PART = 100_000;
const BYTES = new Uint8Array(PART).map((_, i) => i % 251);

async function* partsOf(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += PART) {
    Deno.stdout.writeSync(line);
    yield await Promise.resolve(BYTES.subarray(0, size - at));
  }
}

/** Small files are committed at once, large ones in several steps. */
async function work(worker: number): Promise<void> {
  for (let i = 0;; i++) {
    const size = [1000, 300_000, 800_000][(i + worker) % 3];
    const document = {
      record,
      organisation: "commercial",
      title: String(size),
      kind: "Certificate",
      public: false,
      file_name: "certificate.txt",
      by: "admin@example.org",
    } as const;
    await documents.add(document, ReadableStream.from(partsOf(size)));
  }
}

Deno.stdout.writeSync(new TextEncoder().encode('"ready"\n'));
await Deno.stdin.read(new Uint8Array(1));
await Promise.all([work(0), work(1), work(2)]);
