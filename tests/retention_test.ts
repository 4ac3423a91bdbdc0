import { assertEquals, assertStringIncludes } from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import { retentionRows } from "../lib/features/standard/pages/mod.ts";
import { nameOf } from "../lib/platform/kv/mod.ts";
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
