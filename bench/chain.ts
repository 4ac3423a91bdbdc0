/** The benchmark `chain`: how fast the API serves pages of a record's chain of events. */
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { measureStates } from "./chain_states.ts";
import { compare, COMPARED, comparedRow, startBaseline } from "./compare.ts";
import { serveSite } from "./site.ts";
import { integer, type Table } from "./table.ts";

const ROUTE_TARGET = 0.4;
/** The least rate for the long chain, as a share of that for the short one. */
const LONG_TARGET = 0.77;

const SHORT = 100;
const LONG = 10_000;

const hashOf = (length: number) => String(length).padStart(64, "0");
const pathOf = (length: number) => `/api/chain/${hashOf(length)}`;

/** Returns requests for pages at the end, in the middle and at the beginning of a chain. */
const pagesOf = (length: number) =>
  ["", `?before=${length / 2}`, "?before=20", `?after=${length / 2}`]
    .map((query) => ({ path: pathOf(length) + query }));

/**
 * Compares pages of a chain with a JSON route and a bare handler, with those of a shorter chain, and in each state
 * that a chain can have in the public log.
 */
export async function run(options: { rounds: number }): Promise<Table[]> {
  await using site = await serveSite();
  const { chains: { publisher }, kv } = site.services;
  for (const length of [SHORT, LONG]) {
    await writeChain(kv, { hash: hashOf(length), publisher, length });
  }
  const newest = site.target("api", { path: pathOf(LONG) });
  await using bare = await startBaseline("bytes", newest);
  await using route = await startBaseline("route", newest);
  const { page, ...others } = await compare({ bare, route, page: newest }, options);
  const { short, long } = await compare({
    short: site.target("api", ...pagesOf(SHORT)),
    long: site.target("api", ...pagesOf(LONG)),
  }, options);
  const states = await measureStates(options, ROUTE_TARGET);
  return [{
    title: "`chain`: pages of 20 events",
    columns: COMPARED,
    rows: [
      comparedRow("the newest page", page, ["a JSON route", others.route], ROUTE_TARGET),
      comparedRow("the same", page, ["bare", others.bare]),
      comparedRow(`pages of ${integer(LONG)} events`, long, [`of ${SHORT}`, short], LONG_TARGET),
    ],
  }, {
    title: "`chain`: the newest page in each state in the public log",
    columns: COMPARED,
    rows: states,
  }];
}
