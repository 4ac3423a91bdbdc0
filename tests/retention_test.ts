import { assertEquals, assertStringIncludes } from "@std/assert";
import { COVERED_PREFIXES, RETENTION } from "../lib/features/trust_pages/mod.ts";
import { createSite } from "./site.ts";

Deno.test("docs/ops/retention.md has the rows of the retention table, which has every prefix once", async () => {
  const prefixes = RETENTION.flatMap(({ prefixes }) => prefixes);
  assertEquals(prefixes.toSorted(), [...COVERED_PREFIXES].sort());

  const text = await Deno.readTextFile(new URL("../docs/ops/retention.md", import.meta.url));
  const documented = text.split("\n").filter((line) => /^\| `[a-z_]+`/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(
    documented,
    RETENTION.map(({ prefixes, kept, removedBy, job, per }) => [
      prefixes.map((prefix) => `\`${prefix}\``).join(", "),
      kept,
      removedBy + (job === undefined ? "" : `, job \`${job.replaceAll(", ", "`, `")}\``),
      per,
    ]),
  );
});

Deno.test("the jobs of the retention table exist", async () => {
  await using site = await createSite();
  const jobs = (await site.services.jobs.states()).map(({ name }) => name);
  const named = RETENTION.flatMap(({ job }) => job?.split(", ") ?? []);
  assertEquals(named.filter((name) => !jobs.includes(name)), []);
});

Deno.test("a row that should expire cannot be written without its expiry", async () => {
  await using site = await createSite();
  let message = "";
  await site.services.kv.set(["sessions", "x"], {}).catch((error) => message = error.message);
  assertStringIncludes(message, "need expireIn");
});
