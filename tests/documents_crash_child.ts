/**
 * A process that uploads documents until it is killed. It prints `ready`, waits for a line, and prints
 * a line for each part that it uploads.
 *
 *     deno run -A documents_crash_child.ts <store> <record>
 */
import { openKv } from "../lib/platform/kv/mod.ts";
import type { Documents } from "../lib/features/documents/mod.ts";
import { crashDocuments } from "./documents_crash_store.ts";

const PART = 100_000;
const BYTES = new Uint8Array(PART).map((_, i) => i % 251);

/** Uploads small files, which are committed at once, and large ones, in several steps, without an end. */
export async function uploadForever(
  documents: Documents,
  record: string,
  onPart: () => void,
): Promise<never> {
  async function* partsOf(size: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < size; at += PART) {
      onPart();
      yield await Promise.resolve(BYTES.subarray(0, size - at));
    }
  }
  async function work(worker: number): Promise<never> {
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
  return await Promise.race([work(0), work(1), work(2)]);
}

if (import.meta.main) {
  const [path, record] = Deno.args;
  const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  print('"ready"');
  await Deno.stdin.read(new Uint8Array(1));
  await uploadForever(crashDocuments(await openKv(path), Date.now), record, () => print("1"));
}
