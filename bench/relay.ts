/**
 * The time that a relay adds to a response of 1 KB: from the origin directly, through our relay in its
 * own process, through the site as `deno task serve` runs it, and through the smallest relay in Deno.
 *
 * @module
 */
import { CLIENT_ID, CLIENT_SECRET, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { startRelayProcess } from "../lib/features/relay/testing/relay_process.ts";
import { compare, median, ratioOf, type Rounds } from "./compare.ts";
import { onFirstCore, startScript } from "./processes.ts";
import { serveSite } from "./site.ts";
import { atMost, integer, type Table, withRatio } from "./table.ts";

/** The added time relative to the smallest relay's. */
const TARGET = 1.3;
const CONNECTIONS = [1, 8];
const HOST = "bench.relay.localhost";

export async function run({ rounds }: { rounds: number }): Promise<Table[]> {
  await using direct = await startScript("relay_servers.ts");
  const origin = `http://127.0.0.1:${direct.port}`;
  await using smallest = await startScript(
    "relay_servers.ts",
    origin,
    SLUG,
    CLIENT_ID,
    CLIENT_SECRET,
  );
  await using own = await startRelayProcess({ RELAY_ORIGIN: origin }, { on: onFirstCore });
  const settings = { name: "bench", host: HOST, slug: SLUG, origin };
  const token = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  await using site = await serveSite({ RELAYS: JSON.stringify([{ ...settings, ...token }]) });

  const requests = [{ host: HOST, path: `/${SLUG}/` }];
  const targets = {
    direct: { ...direct, requests },
    smallest: { ...smallest, requests },
    own: { ...own, requests },
    site: { ...site, requests },
  };
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const measured = await compare(targets, { rounds, connections });
    const added = ({ p50 }: Rounds) => (median(p50) - median(measured.direct.p50)) * 1_000;
    const row = (title: string, one: Rounds, target?: number) => {
      const ratio = added(one) / added(measured.smallest);
      return withRatio([
        title,
        String(connections),
        `${integer(added(one))} µs`,
        `${median(one.cpu).toFixed(0)} µs`,
        ratio.toFixed(2),
        target === undefined ? "" : atMost(target, ratio),
      ], {
        name: `${title}, ${connections} connections, compared with the smallest relay`,
        value: ratioOf(measured.smallest.cpu, one.cpu),
      });
    };
    rows.push(
      row("the smallest relay", measured.smallest),
      row("our relay", measured.own, TARGET),
      row("a relay of the site", measured.site),
    );
  }
  return [{
    title: "`relay`: what a relay adds to the median response time",
    columns: ["relay", "connections", "added", "CPU", "ratio", "target"],
    rows,
  }];
}
