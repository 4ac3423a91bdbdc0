/**
 * Measures the speed of `fresh/` and the size of its scripts. Speed is compared on loopback with a
 * bare `Deno.serve` that sends the same bytes, and with preact-render-to-string alone: unlike
 * absolute figures, these ratios are similar on other machines.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { load, pinned } from "./load.ts";

/** One measured figure with the figures that it is compared with. */
export interface FreshRow {
  page: string;
  /** Requests per second, or bytes. */
  fresh: number;
  p50_ms?: number;
  p99_ms?: number;
  /** Requests per second of a bare `Deno.serve` with the same bytes. */
  bare?: number;
  /** Requests per second of preact-render-to-string with the same components. */
  render?: number;
  /** `fresh` divided by `render`, or by `bare` for responses that are not rendered. */
  ratio?: number;
  /** The minimum ratio, or the maximum of bytes. */
  target?: number;
  met?: boolean;
}

const ROUNDS = 3;
const SECONDS = 1.5;

// The island page should reach 12,000 requests per second where rendering alone reaches 32,000.
const PAGES = [
  { page: "app, layout, island, 50 rows", path: "/", rendered: true, target: 0.375 },
  { page: "the same without the island", path: "/plain", rendered: true },
  { page: "JSON through a middleware", path: "/json", target: 0.5 },
  { page: "static file", path: "/styles.css" },
];
const SCRIPTS = [
  { page: "JavaScript of a useState counter (gzip)", path: "/counter", target: 8_000 },
  { page: "JavaScript of a signal counter (gzip)", path: "/signal", target: 10_500 },
];

/** Measures everything, in about a minute. */
export async function run(): Promise<FreshRow[]> {
  await using fresh = await server("fresh");
  const responses = await Promise.all(PAGES.map(async ({ path }) => {
    const response = await fetch(fresh.origin + path);
    return [path, response.headers.get("content-type"), await response.text()];
  }));
  await using bare = await server("bare", JSON.stringify(responses));
  await using render = await server("render");

  const rows: FreshRow[] = [];
  for (const { page, path, rendered, target } of PAGES) {
    const [own, bound, alone] = await compare(path, [fresh, bare, ...rendered ? [render] : []]);
    const { requests_per_second: rps, p50_ms, p99_ms } = own;
    const ratio = rps / (alone ?? bound).requests_per_second;
    rows.push({
      page,
      fresh: rps,
      p50_ms,
      p99_ms,
      bare: bound.requests_per_second,
      render: alone?.requests_per_second,
      ratio,
      target,
      met: target === undefined ? undefined : ratio >= target,
    });
  }
  for (const { page, path, target } of SCRIPTS) {
    const bytes = await scriptBytes(fresh.origin + path);
    rows.push({ page, fresh: bytes, target, met: bytes <= target });
  }
  return rows;
}

interface Server extends AsyncDisposable {
  origin: string;
  port: number;
}

async function server(name: string, input = ""): Promise<Server> {
  const script = new URL("fresh_servers.tsx", import.meta.url).href;
  const [program, ...args] = pinned(0, [Deno.execPath(), "run", "-A", "--frozen", script, name]);
  const process = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const port = await firstLine(process.stdout);
  return {
    origin: `http://127.0.0.1:${port}`,
    port: Number(port),
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
    },
  };
}

async function firstLine(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) return text.trim();
  throw new Error("The server stopped before it listened.");
}

/** Loads the servers in turn and returns each one's best result, because other load slows them. */
async function compare(path: string, servers: Server[]) {
  const results = servers.map((): Awaited<ReturnType<typeof load>>[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { port }] of servers.entries()) {
      results[i].push(await load({ port, path, seconds: SECONDS, core: 1 }));
    }
  }
  return results.map((rounds) =>
    rounds.reduce((best, one) => one.requests_per_second > best.requests_per_second ? one : best)
  );
}

/** Returns the gzip size of all scripts of a page: inline scripts and everything they import. */
async function scriptBytes(page: string): Promise<number> {
  const html = await (await fetch(page)).text();
  const inline = [...html.matchAll(/<script[^>]*>(.+?)<\/script>/gs)].map(([, code]) => code);
  const codes = new Map(inline.map((code, i) => [`inline ${i}`, code]));
  const visit = async (code: string, base: string) => {
    for (const [, specifier] of code.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+)"/g)) {
      const url = new URL(specifier, base).href;
      if (codes.has(url)) continue;
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      codes.set(url, await response.text());
      await visit(codes.get(url)!, url);
    }
  };
  for (const code of inline) await visit(code, page);
  return codes.values().reduce((sum, code) => sum + gzipSync(code).length, 0);
}

export function print(rows: FreshRow[]): void {
  console.table(rows.map(({ p50_ms, p99_ms, ratio, ...row }) => ({
    ...row,
    "p50 / p99 ms": p50_ms && `${p50_ms.toFixed(2)} / ${p99_ms?.toFixed(2)}`,
    ratio: ratio?.toFixed(3),
  })));
}

if (import.meta.main) print(await run());
