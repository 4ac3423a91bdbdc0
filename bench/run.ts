/**
 * `deno task bench [name …]`: runs the benches, all of them or those named.
 *
 * @module
 */
import { run as benchChain } from "./chain.ts";
import { run as benchChart } from "./chart.ts";
import { print, run as benchFresh } from "./fresh.ts";
import { run as benchMcp } from "./mcp.ts";
import { run as benchRelay } from "./relay.ts";
import { run as benchSignIn } from "./sign_in.ts";
import { run as benchWorstCase } from "./worst_case.ts";

const BENCHES: Record<string, () => Promise<unknown>> = {
  chain: () => benchChain(),
  chart: async () => console.table(await benchChart()),
  fresh: async () => print(await benchFresh()),
  mcp: () => benchMcp(),
  relay: () => benchRelay(),
  sessions: () => benchSignIn(),
  "worst-case": () => benchWorstCase(),
};

const names = Deno.args.length > 0 ? Deno.args : Object.keys(BENCHES);
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(
    `No such bench: ${unknown.join(", ")}. There are ${Object.keys(BENCHES).join(", ")}.`,
  );
  Deno.exit(2);
}
for (const name of names) await BENCHES[name]();
