/**
 * `deno task bench [name …]`: runs the named benchmarks, or all of them. Options (`--records=1000`) are
 * for the benchmarks.
 *
 * @module
 */
import { run as benchChain } from "./chain.ts";
import { run as benchChart } from "./chart.ts";
import { run as benchCodes } from "./codes.ts";
import { run as benchConsole } from "./console.tsx";
import { run as benchDocuments } from "./documents.ts";
import { run as benchFeed } from "./feed.ts";
import { print, run as benchFresh } from "./fresh.ts";
import { run as benchLighthouse } from "./lighthouse.ts";
import { run as benchMcp } from "./mcp.ts";
import { run as benchOAuth } from "./oauth.ts";
import { run as benchPages } from "./pages.ts";
import { run as benchPasskeys } from "./passkeys.ts";
import { run as benchRecords } from "./records.ts";
import { run as benchRelay } from "./relay.ts";
import { run as benchSignIn } from "./sign_in.ts";
import { run as benchStart } from "./start.ts";
import { run as benchWorstCase } from "./worst_case.ts";
import { run as benchYear } from "./year.ts";

const BENCHMARKS: Record<string, () => Promise<unknown>> = {
  chain: () => benchChain(),
  chart: async () => console.table(await benchChart()),
  codes: () => benchCodes(),
  console: () => benchConsole(),
  documents: () => benchDocuments(),
  feed: () => benchFeed(),
  fresh: async () => print(await benchFresh()),
  lighthouse: () => benchLighthouse(),
  mcp: () => benchMcp(),
  oauth: () => benchOAuth(),
  pages: () => benchPages(),
  passkeys: () => benchPasskeys(),
  records: () => benchRecords(),
  relay: () => benchRelay(),
  sessions: () => benchSignIn(),
  start: () => benchStart(),
  "worst-case": () => benchWorstCase(),
  year: () => benchYear(),
};

const known = Object.keys(BENCHMARKS);
const named = Deno.args.filter((arg) => !arg.startsWith("--"));
const names = named.length > 0 ? named : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
  Deno.exit(2);
}
for (const name of names) await BENCHMARKS[name]();
