/**
 * Measures downloads of a document of 10 MiB, compared with a static file of the same size from the
 * same server, alternating in one run. The document is in Deno KV, in a file. Before that, many slow
 * clients read the document at the same time, and the server's memory is measured.
 *
 * @module
 */
import { join } from "node:path";
import { pinned } from "./load.ts";
import type { Served } from "./documents_server.ts";

export interface DocumentsResult {
  /** MiB per second with the given number of connections. */
  connections: Record<number, { document: number; file: number; ratio: number }>;
  /** How much memory the server takes for each slow client, in KiB; null where it is unknown. */
  memory_kib: number | null;
}

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = [1, 8];
const TARGET = 1 / 3;
const SLOW_CLIENTS = 40;
const MIB = 10;

/** Runs the benchmark and prints the result. Takes about 40 seconds. */
export async function run(): Promise<DocumentsResult> {
  const folder = await Deno.makeTempDir();
  const { process, served } = await start(join(folder, "documents.kv"));
  try {
    // This runs first, because the memory of a static file's buffers is not freed at once.
    await throughput(served, served.document, 4);
    const memory_kib = await measureMemory(process.pid, served);
    console.log(
      `documents, ${SLOW_CLIENTS} slow clients: ${memory_kib ?? "?"} KiB each ` +
        `(the whole file: ${MIB * 1024} KiB)`,
    );
    const connections: DocumentsResult["connections"] = {};
    for (const count of CONNECTIONS) {
      const best = { document: 0, file: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        for (const what of ["document", "file"] as const) {
          best[what] = Math.max(best[what], await throughput(served, served[what], count));
        }
      }
      const ratio = best.document / best.file;
      connections[count] = { ...best, ratio };
      console.log(
        `documents, ${count} at a time: ${best.document.toFixed(0)} MiB/s, ` +
          `a static file ${best.file.toFixed(0)} MiB/s, ` +
          `ratio ${ratio.toFixed(2)} (target: at least ${TARGET.toFixed(2)})`,
      );
    }
    return { connections, memory_kib };
  } finally {
    process.kill();
    await process.status;
    await Deno.remove(folder, { recursive: true });
  }
}

async function start(store: string) {
  const script = new URL("./documents_server.ts", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script, store]);
  const process = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await output.read();
  output.releaseLock();
  return { process, served: JSON.parse(value) as Served };
}

const requestOf = ({ host, cookie }: Served, path: string) =>
  new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`,
  );

/** Returns the MiB per second that clients receive when they download the same path repeatedly. */
async function throughput(served: Served, path: string, connections: number): Promise<number> {
  const request = requestOf(served, path);
  const start = performance.now();
  const end = start + SECONDS * 1000;
  let received = 0;
  let last = start;
  await Promise.all(Array.from({ length: connections }, async () => {
    using client = await Deno.connect({ hostname: "127.0.0.1", port: served.port });
    const buffer = new Uint8Array(256 * 1024);
    while (performance.now() < end) {
      await client.write(request);
      let length = Infinity;
      for (let filled = 0; filled < length;) {
        const count = await client.read(buffer);
        if (count === null) throw new Error("The server closed the connection.");
        if (filled === 0) length = lengthOf(buffer.subarray(0, count));
        filled += count;
      }
      received += length;
      last = performance.now();
    }
  }));
  return received / 1024 / 1024 / ((last - start) / 1000);
}

/** Returns the length of a response from its first bytes, which contain the whole head. */
function lengthOf(bytes: Uint8Array): number {
  const [head] = new TextDecoder("latin1").decode(bytes.subarray(0, 4096)).split("\r\n\r\n", 1);
  const length = /^content-length: *(\d+)$/im.exec(head);
  if (!head.startsWith("HTTP/1.1 200") || length === null) throw new Error(`Unexpected: ${head}`);
  return head.length + 4 + Number(length[1]);
}

/** Starts downloads whose clients read only the beginning, and returns what each one costs. */
async function measureMemory(pid: number, served: Served): Promise<number | null> {
  const before = memoryOf(pid);
  const request = requestOf(served, served.document);
  const clients = await Promise.all(Array.from({ length: SLOW_CLIENTS }, async () => {
    const client = await Deno.connect({ hostname: "127.0.0.1", port: served.port });
    await client.write(request);
    await client.read(new Uint8Array(1024));
    return client;
  }));
  // The server sends until the buffers of the connections are full.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const after = memoryOf(pid);
  for (const client of clients) client.close();
  return before === null || after === null ? null : Math.round((after - before) / SLOW_CLIENTS);
}

/** Returns the memory of a process in KiB; Linux only. */
function memoryOf(pid: number): number | null {
  if (Deno.build.os !== "linux") return null;
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)![1]);
}
