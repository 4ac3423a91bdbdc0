/**
 * A load generator for HTTP/1.1 on loopback. It uses keep-alive connections, and each sends its next
 * request after the previous response. It runs as a separate process, on its own core if `taskset` is
 * available, so that it takes no time from the server.
 *
 * @module
 */
import { z } from "zod";

const optionsSchema = z.object({
  port: z.int(),
  host: z.string().default("127.0.0.1"),
  /** The `Host` header, if it differs. */
  hostHeader: z.string().optional(),
  method: z.string().default("GET"),
  path: z.string().default("/"),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(""),
  connections: z.int().min(1).default(32),
  seconds: z.number().positive().default(3),
  /** The core to run on. */
  core: z.int().min(0).default(1),
});

const resultSchema = z.object({
  requests_per_second: z.number(),
  p50_ms: z.number(),
  p99_ms: z.number(),
});

export type LoadOptions = z.input<typeof optionsSchema>;
export type LoadResult = z.infer<typeof resultSchema>;

/**
 * Sends requests for the given time, after a warm-up of a fifth of that time.
 *
 * @throws {Error} if a response is not 200, or the process fails
 *
 * @example
 * ```ts
 * const { requests_per_second } = await load({ port: 8000, path: "/", seconds: 3 });
 * ```
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { core } = optionsSchema.parse(options);
  const command = [
    Deno.execPath(),
    "run",
    "-A",
    "--frozen",
    import.meta.url,
    JSON.stringify(options),
  ];
  const [program, ...args] = pinned(core, command);
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(`The load failed: ${new TextDecoder().decode(stderr)}`);
  return resultSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
}

/** Pins a command to one core, if there are several and the system supports it. */
export function pinned(core: number, command: string[]): string[] {
  if (Deno.build.os !== "linux" || core >= navigator.hardwareConcurrency) return command;
  return ["taskset", "-c", String(core), ...command];
}

if (import.meta.main) {
  console.log(JSON.stringify(await generate(optionsSchema.parse(JSON.parse(Deno.args[0])))));
}

async function generate(options: z.infer<typeof optionsSchema>): Promise<LoadResult> {
  const request = requestBytes(options);
  const warm = performance.now() + options.seconds * 200;
  const end = warm + options.seconds * 1000;
  const latencies: number[] = [];

  async function connection() {
    const conn = await Deno.connect({ hostname: options.host, port: options.port });
    const buffer = new Uint8Array(256 * 1024);
    const expected = { bytes: 0 };
    for (let now = performance.now(); now < end;) {
      const start = now;
      await conn.write(request);
      await readResponse(conn, buffer, expected);
      now = performance.now();
      if (start >= warm && now <= end) latencies.push(now - start);
    }
    conn.close();
  }

  await Promise.all(Array.from({ length: options.connections }, connection));
  latencies.sort((a, b) => a - b);
  const quantile = (q: number) => latencies[Math.floor(q * (latencies.length - 1))];
  return {
    requests_per_second: Math.round(latencies.length / options.seconds),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
  };
}

function requestBytes(
  { method, path, host, port, hostHeader, headers, body }: z.infer<typeof optionsSchema>,
) {
  const bytes = new TextEncoder().encode(body);
  const lines = Object.entries({
    host: hostHeader ?? `${host}:${port}`,
    ...(body && { "content-length": String(bytes.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new TextEncoder().encode(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/**
 * Reads one response. Responses of one run mostly have the same length, so a response as long as the
 * last one is taken as complete: parsing headers would take longer than the server does. Only the
 * beginning of a response that is larger than the buffer is kept.
 */
async function readResponse(conn: Deno.Conn, buffer: Uint8Array, expected: { bytes: number }) {
  const kept = buffer.length / 2;
  let filled = 0;
  for (;;) {
    const count = await conn.read(buffer.subarray(Math.min(filled, kept)));
    if (count === null) throw new Error("The server closed the connection.");
    filled += count;
    if (filled === expected.bytes && buffer[9] === 0x32) return;
    if (filled < expected.bytes && filled > kept) continue;
    const length = responseLength(buffer.subarray(0, Math.min(filled, buffer.length)));
    if (length !== undefined && filled >= length) {
      expected.bytes = length;
      return;
    }
  }
}

/** Returns the length of the response at the start of the bytes; undefined if its head is incomplete. */
function responseLength(bytes: Uint8Array): number | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const head = text.split("\r\n\r\n", 1)[0];
  if (head.length === text.length) return undefined;
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`Not a 200: ${text.slice(0, 400)}`);
  const length = /^content-length: *(\d+)$/im.exec(head);
  if (length) return head.length + 4 + Number(length[1]);
  if (!/^transfer-encoding: *chunked$/im.test(head)) throw new Error(`No length: ${head}`);
  return text.endsWith("\r\n0\r\n\r\n") ? text.length : undefined;
}
