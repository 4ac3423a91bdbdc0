/** Writes down what a site does as text, such as routes, tables and mails, to compare after a change. */
import { readRoutes } from "../../lib/app/routes.ts";
import { checkConfig } from "../../lib/app/commands/check_config.ts";
import { TABLES } from "../../lib/app/features.ts";
import { productionEnv } from "../../lib/app/testing/production.ts";
import { exportText, rowsOf } from "../../lib/features/store/testing/copy.ts";
import { nameOf } from "../../lib/platform/kv/mod.ts";
import { MAIL_KINDS } from "../../lib/platform/mail/mod.ts";
import type { ObservedSite } from "./store.ts";

/** Returns the texts of the observations by the names of their files. */
export async function observedTexts(site: ObservedSite): Promise<Record<string, string>> {
  const rows = rowsOf(await exportText({ kv: site.kv }, site.clock.now));
  return {
    "routes.json": json(await routes(site)),
    "openapi.json": json(await (await site.site.request("api", "/openapi.json")).json()),
    "check-config.json": json({
      development: await configOutput({}),
      production: await configOutput(productionEnv({ trust: ["trust.example"] })),
      invalid: await configOutput({ PORT: "a", APP_SECRET: "short", BANK_API_TOKN: "x" }),
    }),
    "tables.json": json(tables(rows)),
    "export.jsonl": rows.join("\n"),
    "mails.json": json(await mails(site)),
  };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Returns each surface's paths, and the methods and properties of each file route. */
async function routes({ site }: ObservedSite) {
  const { surfaces } = site.services;
  const { properties } = await readRoutes(import.meta.resolve("../../routes/"));
  const files: Record<string, object> = {};
  for (const pattern of [...properties.keys()].sort()) {
    files[pattern] = { methods: await methodsOf(site, pattern), ...properties.get(pattern) };
  }
  const paths = surfaces.all.map(({ name, routes }) => [
    name,
    Object.fromEntries(routes.map(({ path, ...rest }) => [path, rest])),
  ]);
  return { surfaces: Object.fromEntries(paths), files };
}

/** Returns what a route says that it allows; its status, if it says nothing. */
async function methodsOf(site: ObservedSite["site"], pattern: string): Promise<string> {
  const path = pattern.replaceAll(/\{[^}]*\}\?/g, "").replaceAll(/:\w+\*?/g, "x");
  const served = site.services.surfaces.all.filter(({ serves }) => serves(path));
  const surface = served.find(({ servesAll }) => !servesAll) ?? served[0];
  const { origin } = new URL(surface.baseUrl);
  const response = await site.request(surface.name, path, {
    method: "OPTIONS",
    headers: { origin },
  });
  await response.body?.cancel();
  return response.headers.get("allow") ?? response.headers.get("access-control-allow-methods") ??
    `OPTIONS returns ${response.status}`;
}

async function configOutput(env: Record<string, string>) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const status = await checkConfig(env, { log: print, error: print });
  return { status, lines };
}

/** Returns the number of rows of each table, limit and index; 0 for those that nothing fills. */
function tables(rows: readonly string[]): Record<string, number> {
  const declared = TABLES.flatMap((table) => [nameOf(table), ...table.indexes]).sort();
  const counts: Record<string, number> = Object.fromEntries(declared.map((name) => [name, 0]));
  for (const row of rows) {
    const [prefix, part] = JSON.parse(row).key;
    counts[prefix in counts ? prefix : nameOf({ prefix, part })]++;
  }
  delete counts.changes; // depends on hashes
  return counts;
}

/** Returns the mails by subject, and the kinds of mail that none of them has. */
async function mails(site: ObservedSite) {
  const sent = await site.mails();
  const lines = (text: string) => text.split("\n");
  return {
    missing: Object.keys(MAIL_KINDS).filter((kind) => !site.mailKinds.has(kind)),
    sent: sent.toReversed().map(({ html, text, at: _, link: __, id: ___, ...mail }) => ({
      ...mail,
      text: lines(text),
      html: lines(html.replaceAll(/></g, ">\n<")),
    })),
  };
}
