/** The file from which the KV Connect server of the tests restores its stores after a restart. */
import { Buffer } from "node:buffer";

/** A commit as it was requested. */
interface Entry {
  /** The store. */
  name: string;
  /** The number of the commit. */
  version: number;
  body: Uint8Array;
}

/** The bytes before a name and a body: their lengths, and the number of the commit. */
const HEAD_BYTES = 16;

/** The file with all commits of a server, from which the next one restores its stores. */
export class Journal implements Disposable {
  readonly #file: Deno.FsFile;

  constructor(private readonly path: string) {
    this.#file = Deno.openSync(path, { create: true, append: true });
  }

  /** Yields the commits of earlier servers. The last one is deleted if it was not written completely. */
  *read(): Generator<Entry> {
    const bytes = Buffer.from(Deno.readFileSync(this.path));
    let at = 0;
    while (at + HEAD_BYTES <= bytes.length) {
      const nameAt = at + HEAD_BYTES;
      const bodyAt = nameAt + bytes.readUInt32LE(at);
      const end = bodyAt + bytes.readUInt32LE(at + 4);
      if (end > bytes.length) break;
      const version = Number(bytes.readBigUInt64LE(at + 8));
      yield {
        name: bytes.toString("utf8", nameAt, bodyAt),
        version,
        body: bytes.subarray(bodyAt, end),
      };
      at = end;
    }
    this.#file.truncateSync(at);
  }

  add({ name, version, body }: Entry): void {
    const head = Buffer.alloc(HEAD_BYTES);
    const nameBytes = Buffer.from(name);
    head.writeUInt32LE(nameBytes.length);
    head.writeUInt32LE(body.length, 4);
    head.writeBigUInt64LE(BigInt(version), 8);
    this.#file.writeSync(Buffer.concat([head, nameBytes, body]));
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
