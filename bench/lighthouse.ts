/**
 * Lighthouse's scores of every public page: performance on a simulated phone with a slow connection,
 * and accessibility. The site runs as `deno task start` does.
 *
 * @module
 */
import { launchBrowser } from "../tests/browser.ts";

const TARGETS = { performance: 98, accessibility: 100 };

const MARKETING = ["/", "/verify", "/standard", "/standard/event-chain", "/connect", "/contact"];

/** The public pages by host in development. */
const PAGES: Record<string, readonly string[]> = {
  foundation: [
    ...MARKETING,
    "/governance",
    "/implementations",
    "/standard/complete",
    "/standard/changelog",
    "/standard/kit",
  ],
  commercial: [...MARKETING.filter((path) => path !== "/verify"), "/security", "/status"],
  investor: ["/"],
  "mcp.foundation": ["/"],
  "mcp.commercial": ["/"],
  api: ["/", "/docs"],
  trust: ["/", "/check", "/verify", "/levels", "/terms", "/privacy", "/k", "/my-record"],
  site: ["/", "/?q=care", "/qualifications/CHC50121", "/compare?a=CHC50121&b=CHC50113", "/auth"],
  "ops.foundation": ["/auth"],
  "ops.commercial": ["/auth"],
};

export interface Scores {
  /** 0 to 100. */
  performance: number;
  /** 0 to 100. */
  accessibility: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Largest contentful paint, in milliseconds. */
  paint: number;
  /** Bytes transferred. */
  bytes: number;
}

/**
 * Audits the pages and prints the medians.
 *
 * @param options.runs how often each page is audited
 * @param options.only hosts to audit, such as `trust`; all by default
 */
export async function run(
  { runs = 5, only = Object.keys(PAGES) } = {},
): Promise<Record<string, Scores>> {
  const port = freePort();
  const debugPort = freePort();
  const site = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", "dev.ts", "start"],
    cwd: new URL("..", import.meta.url).pathname,
    env: { PORT: String(port), KV_PATH: ":memory:" },
    stdout: "null",
  }).spawn();
  const browser = await launchBrowser([`--remote-debugging-port=${debugPort}`]);
  try {
    await untilServing(port);
    const results: Record<string, Scores> = {};
    console.log(`Lighthouse, median of ${runs}: performance, accessibility, shift, paint, KB`);
    for (const host of only) {
      for (const path of PAGES[host]) {
        const url = `http://${host}.localhost:${port}${path}`;
        const median = medianOf(await audit(debugPort, url, runs));
        results[host + path] = median;
        const missed = median.performance < TARGETS.performance ||
          median.accessibility < TARGETS.accessibility;
        const { performance, accessibility, shift, paint, bytes } = median;
        console.log(
          `  ${missed ? "✗" : "✓"} ${(host + path).padEnd(40)} ${performance}  ${accessibility}  ` +
            `${shift.toFixed(3)}  ${Math.round(paint)} ms  ${Math.round(bytes / 1024)}`,
        );
      }
    }
    return results;
  } finally {
    await browser.close();
    site.kill();
    await site.status;
  }
}

/** Audits a page in a process without this project's lock file and configuration. */
async function audit(debugPort: number, url: string, runs: number): Promise<Scores[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-lock",
      "--no-config",
      import.meta.resolve("./lighthouse_audit.ts"),
      String(debugPort),
      url,
      String(runs),
    ],
  }).output();
  if (!success) throw new Error(`The audit of ${url} failed: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

function medianOf(all: Scores[]): Scores {
  const median = (key: keyof Scores) =>
    all.map((scores) => scores[key]).sort((a, b) => a - b)[all.length >> 1];
  return {
    performance: median("performance"),
    accessibility: median("accessibility"),
    shift: median("shift"),
    paint: median("paint"),
    bytes: median("bytes"),
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Waits for the build, and until the site responds. */
async function untilServing(port: number): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`);
      await response.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error("The site did not start within two minutes.");
}

if (import.meta.main) {
  const [runs, ...only] = Deno.args;
  await run({
    ...runs === undefined ? {} : { runs: Number(runs) },
    ...only.length === 0 ? {} : { only },
  });
}
