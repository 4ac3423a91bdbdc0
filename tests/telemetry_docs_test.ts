import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { REQUESTS } from "../lib/platform/telemetry/mod.ts";
import { createSite } from "./site.ts";

const read = (name: string) => Deno.readTextFile(new URL(`../docs/ops/${name}`, import.meta.url));

/** Returns the labels of each metric. */
async function labelsOf(): Promise<Map<string, string[]>> {
  await using site = await createSite();
  return new Map([
    ...["_bucket", "_sum", "_count"].map((end): [string, string[]] => [
      REQUESTS + end,
      ["surface", "route", "status", "le"],
    ]),
    ...Array.from(
      site.services.metrics.all,
      ({ name, labels }): [string, string[]] => [name, Object.keys(labels)],
    ),
  ]);
}
/** The labels that Prometheus adds. */
const ADDED = ["job", "instance"];

/** Returns what queries ask for and no metric has. */
function unknown(known: Map<string, string[]>, queries: string[]): string[] {
  return queries.flatMap((query) => {
    const used = [...query.matchAll(/\b(gatehouse_\w+)(?:\{([^}]*)\})?/g)];
    const labels = used.flatMap(([, name]) => known.get(name) ?? []).concat(ADDED);
    const grouped = [...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
      .flatMap(([, names]) => names.split(/, ?/))
      .filter((label) => !labels.includes(label));
    const wrong = used.flatMap(([, name, matchers]) => {
      const own = known.get(name);
      if (own === undefined) return [name];
      return [...(matchers ?? "").matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label]) => label)
        .filter((label) => ![...own, ...ADDED].includes(label))
        .map((label) => `${name}{${label}}`);
    });
    return [...grouped, ...wrong];
  });
}

Deno.test("every metric and label in the alert rules exists, and every rule says what to look at", async () => {
  interface Rules {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  }
  const { groups } = parse(await read("alerts.yaml")) as Rules;
  const rules = groups.flatMap(({ rules }) => rules);
  assert(rules.length >= 12);
  assertEquals(unknown(await labelsOf(), rules.map(({ expr }) => expr)), []);
  assertEquals(rules.filter(({ annotations }) => !annotations.summary), []);
});

Deno.test("the runbook says what to do about every alert, and memory is reported before the unit's limit", async () => {
  const { groups } = parse(await read("alerts.yaml")) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules);
  const runbook = await read("runbook.md");
  assertEquals(rules.filter(({ alert }) => !runbook.includes("`" + alert + "`")), []);
  const [, high] = (await read("gatehouse.service")).match(/^MemoryHigh=(\d+)M$/m)!;
  const { expr } = rules.find(({ alert }) => alert === "GatehouseMemory")!;
  assert(Number(expr.split(">")[1]) < Number(high) * 2 ** 20, expr);
});

Deno.test("every metric and label in the dashboard exists", async () => {
  const { panels } = JSON.parse(await read("grafana.json")) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert(queries.length >= 25);
  assertEquals(unknown(await labelsOf(), queries), []);
});

Deno.test("the documentation lists every metric with its labels", async () => {
  const text = await read("telemetry.md");
  const rows = new Map(
    [...text.matchAll(/^\| `(gatehouse_\w+)`:.*\| ([^|]*) \|$/gm)].map(([, name, labels]) => [
      name,
      [...labels.matchAll(/`([a-z]+)`/g)].map(([, label]) => label),
    ]),
  );
  for (const [name, labels] of await labelsOf()) {
    if (!name.startsWith(REQUESTS)) assertEquals(rows.get(name), labels, name);
  }
  assertEquals(rows.get(REQUESTS), ["surface", "route", "status"]);
});
