import { assertEquals } from "@std/assert";
import { rangePresets, readLedgerFilters } from "./ledger_filters.ts";
import { ledgerPath } from "./ledger_path.ts";

const NOW = Date.parse("2026-03-10T22:00:00Z");
const NOTHING = {
  search: "",
  start: "",
  end: "",
  kind: "",
  status: "",
  direction: "",
  min: "",
  max: "",
  limit: "",
};
const MONTH = { start: "2026-02-09", end: "2026-03-10" };
const read = (search: string) =>
  readLedgerFilters(new URL(`http://ops.localhost/console/finance/a1${search}`), "a1", NOW);

const queryOf = (search: string) => read(search).query;
const issuesOf = (search: string) => Object.keys(read(search).issues).sort();

Deno.test("without dates, the range is the last 30 days; with empty ones, it has no limit", () => {
  const query = { account_id: "a1", limit: 25, offset: 0 };
  for (const search of ["?limit=25", "?limit=25&offset="]) {
    assertEquals(queryOf(search), { ...query, ...MONTH });
    assertEquals(read(search).range, MONTH);
    assertEquals(read(search).typed, { ...NOTHING, ...MONTH, limit: "25" });
  }
  for (const search of ["?start=&limit=25", "?start=&end=&limit=25"]) {
    assertEquals(queryOf(search), query);
    assertEquals(read(search).range, {});
  }
  assertEquals(queryOf("?end=2026-01-05&limit=25"), { ...query, end: "2026-01-05" });
});

Deno.test("the chart has the table's range, or the default if the range is invalid", () => {
  const january = { start: "2026-01-01", end: "2026-01-31" };
  assertEquals(read("?start=2026-01-01&end=2026-01-31").range, january);
  assertEquals(read("?start=2026-01-01&end=2026-01-31&limit=0").range, january);
  for (const range of ["start=2026-02-02&end=2026-02-01", "start=soon", "end=2026-02-30"]) {
    assertEquals(read(`?${range}`).range, MONTH);
  }
});

Deno.test("an inverted range is an issue of its end, even with an invalid page size", () => {
  assertEquals(issuesOf("?start=2026-02-02&end=2026-02-01&limit=0"), ["end", "limit"]);
});

Deno.test("rangePresets() returns ranges up to today, and one without limits", () => {
  assertEquals(rangePresets(NOW).map(({ text, start, end }) => [text, start, end]), [
    ["7 days", "2026-03-04", "2026-03-10"],
    ["30 days", "2026-02-09", "2026-03-10"],
    ["90 days", "2025-12-11", "2026-03-10"],
    ["This year", "2026-01-01", "2026-03-10"],
    ["All", "", ""],
  ]);
});

Deno.test("the account comes from the path, not from the query", () => {
  assertEquals(queryOf("?account_id=other")?.account_id, "a1");
});

Deno.test("invalid filters return an issue for each field, and what was typed", () => {
  const wrong = "?start=nonsense&end=2026-02-30&limit=9999&offset=-1&min=-5&direction=up";
  assertEquals(issuesOf(wrong), ["direction", "end", "limit", "min", "offset", "start"]);
  assertEquals(read(wrong).typed, {
    ...NOTHING,
    start: "nonsense",
    end: "2026-02-30",
    direction: "up",
    min: "-5",
    limit: "9999",
  });
  assertEquals(issuesOf(`?search=${"x".repeat(500)}`), ["search"]);
  assertEquals(issuesOf("?start=2026-02-02&end=2026-02-01"), ["end"]);
});

Deno.test("ledgerPath() returns a URL that selects the same transactions", () => {
  const path = "/console/finance/a%2F1";
  const typed = {
    ...NOTHING,
    start: "2026-01-01",
    search: "office & rent",
    min: "$5",
    limit: "25",
  };
  const href = ledgerPath(path, typed, { offset: 75, transaction: "t 1" });
  assertEquals(
    href,
    `${path}?search=office+%26+rent&start=2026-01-01&min=%245&limit=25&offset=75&transaction=t+1`,
  );
  const filters = read(new URL(href, "http://ops.localhost").search);
  assertEquals([filters.typed, filters.transaction], [typed, "t 1"]);
  assertEquals(ledgerPath(path, typed, { format: "csv" }).endsWith("&limit=25&format=csv"), true);
  assertEquals(ledgerPath(path, NOTHING), `${path}?start=`);
});
