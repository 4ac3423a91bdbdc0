import { serialize } from "node:v8";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import { retentionRows } from "../lib/features/standard/pages/mod.ts";
import { nameOf, openKv } from "../lib/platform/kv/mod.ts";
import { PERSON } from "./contact_site.ts";
import { offerTo } from "./filled_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite } from "./site.ts";

Deno.test("docs/ops/retention.md has a row for each table, as the table declares it", async () => {
  const text = await Deno.readTextFile(new URL("../docs/ops/retention.md", import.meta.url));
  const documented = text.split("\n").filter((line) => /^\| `[a-z_]+`/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const [written, declared] = [documented.map(lineOf), retentionRows(TABLES).map(lineOf)];
  assertEquals(
    {
      missing: declared.filter((line) => !written.includes(line)),
      unknown: written.filter((line) => !declared.includes(line)),
    },
    { missing: [], unknown: [] },
    "Correct these rows of docs/ops/retention.md.",
  );
  assertEquals(written, declared, "The rows are in the order of the features and their tables.");
});

Deno.test("every prefix and every limit is declared once", () => {
  const prefixes = TABLES.flatMap((table) => [nameOf(table), ...table.indexes]);
  assertEquals(prefixes.filter((prefix, i) => prefixes.indexOf(prefix) !== i), []);
});

Deno.test("the privacy page has a text for each table with rows about people", () => {
  const texts = TABLES.flatMap(({ privacy }) => privacy);
  const idOf = ({ section, label }: typeof texts[number]) => `${section}: ${label}`;
  const written = new Set(texts.filter(({ text }) => text !== undefined).map(idOf));
  assertEquals(texts.map(idOf).filter((id) => !written.has(id)), []);
  assertEquals(
    TABLES.filter(({ owner, privacy }) =>
      (owner === "record" || owner === "user") && privacy.length === 0
    ).map(({ prefix }) => prefix),
    [],
  );
});

Deno.test("the jobs that remove rows exist", async () => {
  await using site = await createSite();
  const jobs = (await site.services.jobs.states()).map(({ name }) => name);
  const named = TABLES.flatMap(({ lifetime: { job } }) => job?.split(", ") ?? []);
  assertEquals(named.filter((name) => !jobs.includes(name)), []);
});

Deno.test("a test cannot write a row that no table declares, without its expiry, or with another value than declared", async () => {
  await using site = await createSite();
  const { kv } = site.services;
  const refusal = (key: Deno.KvKey) => kv.set(key, {}).then(() => "", ({ message }) => message);
  assertEquals(await refusal(["leftovers", "x"]), 'No table declares keys below "leftovers".');
  assertEquals(await refusal(["limits", "x"]), 'No table declares keys below "limits".');
  assertStringIncludes(await refusal(["sessions", "x"]), "need expireIn");
  assertStringIncludes(await refusal(["passkey_credentials", "x"]), "credential_id");
});

/** The sizes that docs/ops/retention.md states, by what they are of. */
async function documentedSizes(): Promise<Record<string, { payload: number; disk: number }>> {
  const text = await Deno.readTextFile(new URL("../docs/ops/retention.md", import.meta.url));
  const [, section] = text.split("## What grows");
  const rows = [...section.matchAll(/^\| ([^|]+?) +\| ([\d.]+) KB +\| ([\d.]+) KB +\|/gm)];
  return Object.fromEntries(
    rows.map(([, what, payload, disk]) => [what, { payload: +payload, disk: +disk }]),
  );
}

/** Measures a store in a file: its keys and values, and the pages that SQLite uses for them, in KB. */
async function sizeOf(kv: Deno.Kv, path: string) {
  let payload = 0;
  for await (const { key, value } of kv.list({ prefix: [] })) {
    payload += serialize(key).length + serialize(value).length;
  }
  using file = new DatabaseSync(path, { readOnly: true });
  const pragma = (name: string) => Number(Object.values(file.prepare(`PRAGMA ${name}`).get()!)[0]);
  const pages = pragma("page_count") - pragma("freelist_count");
  return { payload: payload / 1000, disk: pages * pragma("page_size") / 1000 };
}

Deno.test("docs/ops/retention.md states the sizes that a filled store has", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "site.kv");
  const measured: Record<string, { payload: number; disk: number }> = {};
  {
    await using fixture = await recordFixture({}, { kv: await openKv(path) });
    const { site: { services }, clock, register } = fixture;
    const { kv, chains, jobs } = services;
    const person = (i: number) => ({ ...PERSON, email: `ada.${i}@mail.example.org` });
    const hash = await register();
    await jobs.run("log");
    /** Does something some times, lets the log publish, and notes what each time has added. */
    const measure = async (what: string, times: number, step: (i: number) => Promise<unknown>) => {
      const before = await sizeOf(kv, path);
      for (let i = 0; i < times; i++) await step(i);
      clock.now += 1000;
      await services.mailer.flush();
      await jobs.run("log");
      const after = await sizeOf(kv, path);
      measured[what] = {
        payload: (after.payload - before.payload) / times,
        disk: (after.disk - before.disk) / times,
      };
    };
    await measure("a record with its first event", 50, (i) => register(person(i)));
    await measure("a further event of a record", 100, () => chains.append(hash, "email_confirmed"));
    await measure("a document that nobody accepts", 50, (i) => offerTo(services, `grace.${i}`));
    await measure("an event that is published alone", 40, async () => {
      await chains.append(hash, "email_confirmed");
      await jobs.run("log");
    });
  }
  await Deno.remove(folder, { recursive: true });
  const documented = await documentedSizes();
  assertEquals(Object.keys(documented), Object.keys(measured));
  for (const [what, { payload, disk }] of Object.entries(measured)) {
    // Random values do not all have one length.
    assertAlmostEquals(documented[what].payload, payload, 0.15 * payload, `${what}: ${payload} KB`);
    // How full the pages of the file are depends on the order of random keys.
    assertAlmostEquals(documented[what].disk, disk, 0.5 * disk, `${what}: ${disk} KB of the file`);
  }
});
