import { addEntries } from "../lib/features/log/testing/fixtures.ts";
import { until } from "../lib/testing/until.ts";
import { compare, COMPARED, comparedRow, startBaseline } from "./compare.ts";
import { serveSite } from "./site.ts";
import type { Table } from "./table.ts";

const TARGET = 0.3;

const TILE = "/log/tile/0/000";

/** Compares a full tile of the public log, which is 8,192 bytes, with a bare handler that sends the same bytes. */
export async function run(options: { rounds: number }): Promise<Table[]> {
  await using site = await serveSite();
  const { kv } = site.services;
  await addEntries(kv, Array.from({ length: 256 }, (_, i) => `${i}`), { now: Date.now() });
  await until(async () => {
    const response = await site.request("trust", TILE);
    await response.body?.cancel();
    return response.status === 200;
  }, "the full tile is published");
  const rows: string[][] = [];
  for (const path of [TILE, `${TILE}.p/255`]) {
    const tile = site.target("trust", { path });
    await using bare = await startBaseline("bytes", tile);
    const measured = await compare({ bare, tile }, options);
    rows.push(comparedRow(`\`${path}\``, measured.tile, ["bare", measured.bare], TARGET));
  }
  return [{ title: "`log-files`: tiles of the public log", columns: COMPARED, rows }];
}
