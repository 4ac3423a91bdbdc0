/**
 * Lighthouse's scores of every public page: performance on a simulated phone with a slow connection,
 * and accessibility.
 *
 * @module
 */
import { launchBrowser } from "../tests/browser.ts";
import { freePort } from "../tests/site.ts";
import { median } from "./compare.ts";
import { useCores } from "./processes.ts";
import { serveSite } from "./site.ts";
import { integer, type Table } from "./table.ts";

const PERFORMANCE = 98;
const ACCESSIBILITY = 100;
const TARGET = `at least ${PERFORMANCE} and ${ACCESSIBILITY}`;
/** The number of audits of a page. */
const AUDITS = 5;

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

interface Scores {
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

/** Audits each page several times. */
export async function run(): Promise<Table[]> {
  await useCores("0-1"); // the browser may use both
  const debugPort = freePort();
  await using site = await serveSite();
  const browser = await launchBrowser([`--remote-debugging-port=${debugPort}`]);
  try {
    const rows: string[][] = [];
    for (const [host, paths] of Object.entries(PAGES)) {
      for (const path of paths) {
        const all = await audit(debugPort, `http://${host}.localhost:${site.port}${path}`);
        const of = (key: keyof Scores) => median(all.map((scores) => scores[key]));
        rows.push([
          `${host}${path}`,
          String(of("performance")),
          String(of("accessibility")),
          of("shift").toFixed(3),
          `${integer(of("paint"))} ms`,
          integer(of("bytes") / 1_000),
          of("performance") >= PERFORMANCE && of("accessibility") >= ACCESSIBILITY
            ? `${TARGET}: met`
            : `${TARGET}: missed`,
        ]);
      }
    }
    return [{
      title: `\`lighthouse\`: medians of ${AUDITS} audits`,
      columns: ["page", "performance", "accessibility", "shift", "paint", "KB", "target"],
      rows,
    }];
  } finally {
    await browser.close();
  }
}

/** Audits a page in a process without this project's lock file and configuration. */
async function audit(debugPort: number, url: string): Promise<Scores[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-lock",
      "--no-config",
      import.meta.resolve("./lighthouse_audit.ts"),
      String(debugPort),
      url,
      String(AUDITS),
    ],
  }).output();
  if (!success) throw new Error(`The audit of ${url} failed: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
