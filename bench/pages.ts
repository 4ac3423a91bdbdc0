import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { compare, COMPARED, comparedRow, startBaseline } from "./compare.ts";
import { serveSite } from "./site.ts";
import type { Table } from "./table.ts";

const TARGET = 0.3;
const BROTLI = { "accept-encoding": "gzip, deflate, br" };

/** Pages that depend on neither session nor store. */
const PAGES: [surface: SurfaceName, path: string, headers?: Record<string, string>][] = [
  ["commercial", "/"],
  ["foundation", "/"],
  ["foundation", "/standard/records"],
  ["trust", "/terms"],
  ["site", "/"],
  ["site", "/?q=care&level=3"],
  ["site", "/qualifications/CHC50121"],
  ["api", "/docs"],
  ["commercial", "/", BROTLI],
  ["site", "/?q=care&level=3", BROTLI],
];

/** Compares pages with a bare handler that sends the same bytes. */
export async function run(options: { rounds: number }): Promise<Table[]> {
  await using site = await serveSite();
  const rows: string[][] = [];
  for (const [surface, path, headers] of PAGES) {
    const page = site.target(surface, { path, headers });
    await using bare = await startBaseline("bytes", page);
    const measured = await compare({ bare, page }, options);
    const title = `${surface} \`${path}\`${headers === undefined ? "" : ", Brotli"}`;
    rows.push(comparedRow(title, measured.page, ["bare", measured.bare], TARGET));
  }
  return [{ title: "`pages`: pages for everyone", columns: COMPARED, rows }];
}
