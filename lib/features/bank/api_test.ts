import { assert, assertEquals } from "@std/assert";
import { checkInput } from "../../platform/http/body.ts";
import { transactionQuery } from "./api.ts";

Deno.test("filters have defaults and accept dates, times, words and amounts", () => {
  assertEquals(transactionQuery.parse({ account_id: "a" }), {
    account_id: "a",
    limit: 50,
    offset: 0,
  });
  const given = {
    account_id: "a",
    start: "2026-01-01",
    end: "2026-01-01T10:00:00+10:00",
    limit: "500",
    offset: "0",
  };
  assertEquals(transactionQuery.parse(given), { ...given, limit: 500, offset: 0 });
  const found = {
    search: " rent ",
    kind: "wireFee",
    direction: "out",
    min: "$1,234.50",
    max: "2000",
  };
  assertEquals(transactionQuery.parse({ account_id: "a", ...found }), {
    ...found,
    account_id: "a",
    search: "rent",
    min: 1234.5,
    max: 2000,
    limit: 50,
    offset: 0,
  });
  const day = { account_id: "a", start: "2026-01-01T12:00:00Z", end: "2026-01-01" };
  assertEquals(transactionQuery.parse(day).end, "2026-01-01");
});

const BAD: [field: string, filters: Record<string, string>][] = [
  ["account_id", { account_id: "" }],
  ["limit", { limit: "0" }],
  ["limit", { limit: "501" }],
  ["limit", { limit: "1e2" }],
  ["limit", { limit: "" }],
  ["offset", { offset: "-1" }],
  ["offset", { offset: "1.5" }],
  ["start", { start: "2026-02-30" }],
  ["start", { start: "01/02/2026" }],
  ["end", { end: "tomorrow" }],
  ["end", { start: "2026-02-02", end: "2026-02-01" }],
  ["end", { start: "2026-02-02T00:00:00Z", end: "2026-02-01" }],
  ["from", { from: "2026-02-01" }],
  ["search", { search: " " }],
  ["search", { search: "x".repeat(101) }],
  ["kind", { kind: "" }],
  ["status", { status: "x".repeat(61) }],
  ["direction", { direction: "up" }],
  ["min", { min: "-5" }],
  ["min", { min: "1.005" }],
  ["min", { min: "1,23" }],
  ["max", { max: "1e3" }],
  ["max", { min: "10", max: "9.99" }],
];

Deno.test("an invalid filter returns 400 with its name", () => {
  for (const [field, filters] of BAD) {
    try {
      checkInput(transactionQuery, { account_id: "a", ...filters });
    } catch (error) {
      const { status, issues } = error as { status: number; issues: Record<string, string> };
      assertEquals([status, Object.keys(issues)], [400, [field]], JSON.stringify(filters));
      continue;
    }
    assert(false, `${JSON.stringify(filters)} passed`);
  }
  assert(!transactionQuery.safeParse({}).success);
  assert(!transactionQuery.safeParse({ account_id: "a", constructor: "" }).success);
});
