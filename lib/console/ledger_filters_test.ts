import { assertEquals } from "@std/assert";
import { ledgerPath, rangePresets, readLedgerFilters } from "./ledger_filters.ts";

const NOW = Date.parse("2026-03-10T22:00:00Z");
const MONTH = { start: "2026-02-09", end: "2026-03-10" };
const read = (search: string) =>
  readLedgerFilters(new URL(`http://ops.localhost/console/finance/a1${search}`), "a1", NOW);

function queryOf(search: string) {
  const filters = read(search);
  return "query" in filters ? filters.query : null;
}

function issuesOf(search: string) {
  const filters = read(search);
  return "issues" in filters ? Object.keys(filters.issues).sort() : [];
}

Deno.test("without dates, the range is the last 30 days; with empty ones, it has no limit", () => {
  const query = { account_id: "a1", limit: 25, offset: 0 };
  for (const search of ["?limit=25", "?limit=25&offset="]) {
    assertEquals(queryOf(search), { ...query, ...MONTH });
    assertEquals(read(search).range, MONTH);
    assertEquals(read(search).typed, { ...MONTH, limit: "25", offset: "" });
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

Deno.test("rangePresets() marks the typed range and keeps the page size", () => {
  const current = (search: string) =>
    rangePresets("a1", read(search), NOW).filter(({ current }) => current).map(({ text }) => text);
  assertEquals(current(""), ["30 days"]);
  assertEquals(current("?start="), ["All"]);
  assertEquals(current("?start=2026-03-04&end=2026-03-10"), ["7 days"]);
  assertEquals(current("?start=2026-03-05&end=2026-03-10"), []);
  for (const { text, href } of rangePresets("a1", read("?limit=25"), NOW)) {
    const { search } = new URL(href, "http://ops.localhost");
    assertEquals(current(search), [text]);
    assertEquals(queryOf(search)?.limit, 25);
  }
});

Deno.test("the account comes from the path, not from the query", () => {
  assertEquals(queryOf("?account_id=other")?.account_id, "a1");
});

Deno.test("invalid filters return an issue for each field, and what was typed", () => {
  const wrong = "?start=nonsense&end=2026-02-30&limit=9999&offset=-1";
  assertEquals(issuesOf(wrong), ["end", "limit", "offset", "start"]);
  assertEquals(read(wrong).typed, {
    start: "nonsense",
    end: "2026-02-30",
    limit: "9999",
    offset: "-1",
  });
  assertEquals(issuesOf("?start=2026-02-02&end=2026-02-01"), ["end"]);
});

Deno.test("ledgerPath() returns a URL with the filters", () => {
  const query = { account_id: "a/1", start: "2026-01-01", limit: 25, offset: 50 };
  assertEquals(
    ledgerPath(query, { offset: 75 }),
    "/console/finance/a%2F1?start=2026-01-01&limit=25&offset=75",
  );
  assertEquals(
    ledgerPath(query, { format: "csv" }),
    "/console/finance/a%2F1?start=2026-01-01&limit=25&offset=50&format=csv",
  );
  const all = ledgerPath({ account_id: "a1", limit: 25, offset: 0 });
  assertEquals(all, "/console/finance/a1?start=&limit=25");
});
