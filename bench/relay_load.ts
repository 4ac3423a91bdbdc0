/**
 * Generates GET requests whose responses have one length, which may be large: `load.ts` keeps a whole
 * response, this one counts its bytes. It runs as a separate process.
 *
 * @module
 */
import { z } from "zod";
import { pinned } from "./load.ts";

const optionsSchema = z.object({
  port: z.int(),
  path: z.string(),
  connections: z.int().min(1),
  seconds: z.number().positive(),
});
const resultSchema = z.object({ requests_per_second: z.number(), p50_ms: z.number() });

export type RelayLoad = z.infer<typeof resultSchema>;

/**
 * Sends requests for some seconds after a warm-up of a fifth of that, on core 1 if there is one.
 *
 * @throws {Error} if a response is not 200, has another length than the first, or has no length
 */
export async function relayLoad(options: z.input<typeof optionsSchema>): Promise<RelayLoad> {
  const script = import.meta.url;
  const [program, ...args] = pinned(1, [
    Deno.execPath(),
    "run",
    "-A",
    "--frozen",
    script,
    JSON.stringify(options),
  ]);
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(`The load failed: ${new TextDecoder().decode(stderr)}`);
  return resultSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
}

if (import.meta.main) {
  console.log(JSON.stringify(await generate(optionsSchema.parse(JSON.parse(Deno.args[0])))));
}

async function generate(
  { port, path, connections, seconds }: z.infer<typeof optionsSchema>,
): Promise<RelayLoad> {
  const request = new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const warm = performance.now() + seconds * 200;
  const end = warm + seconds * 1000;
  const latencies: number[] = [];

  async function converse() {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay();
    const buffer = new Uint8Array(1 << 20);
    let length: number | undefined;
    for (let now = performance.now(); now < end;) {
      const start = now;
      await connection.write(request);
      let total = 0;
      while (length === undefined || total < length) {
        const count = await connection.read(buffer);
        if (count === null) throw new Error("The connection was closed.");
        if (total === 0) length = lengthOf(buffer.subarray(0, count), length);
        total += count;
      }
      if (total > length) throw new Error("A response was longer than the first.");
      now = performance.now();
      if (start >= warm && now <= end) latencies.push(now - start);
    }
  }

  await Promise.all(Array.from({ length: connections }, converse));
  latencies.sort((a, b) => a - b);
  return {
    requests_per_second: Math.round(latencies.length / seconds),
    p50_ms: latencies[Math.floor(latencies.length / 2)],
  };
}

/** Returns the length of a whole response from its head, or the known length. */
function lengthOf(bytes: Uint8Array, known: number | undefined): number {
  if (known !== undefined && bytes[9] === 0x32) return known;
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n") + 4;
  const length = /^content-length: *(\d+)\r$/im.exec(text.slice(0, end))?.[1];
  if (!text.startsWith("HTTP/1.1 200") || length === undefined) {
    throw new Error(`Not a 200 with a length: ${text.slice(0, 400)}`);
  }
  return end + Number(length);
}
