import { assertEquals } from "@std/assert";
import { flowSpan, ledgerPath, readLedgerFilters } from "./ledger_filters.ts";

const read = (search: string) =>
  readLedgerFilters(new URL(`http://ops.localhost/console/finance/a1${search}`), "a1");

function queryOf(search: string) {
  const filters = read(search);
  return "query" in filters ? filters.query : null;
}

function issuesOf(search: string) {
  const filters = read(search);
  return "issues" in filters ? Object.keys(filters.issues).sort() : [];
}

Deno.test("empty fields of the form are no filters", () => {
  assertEquals(queryOf("?start=&end=&limit=25"), { account_id: "a1", limit: 25, offset: 0 });
});

Deno.test("the account is the address's, whatever the query says", () => {
  assertEquals(queryOf("?account_id=other")?.account_id, "a1");
});

Deno.test("what is wrong is told by field, and nothing that was typed is lost", () => {
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

Deno.test("an address carries the filters over", () => {
  const query = { account_id: "a/1", start: "2026-01-01", limit: 25, offset: 50 };
  assertEquals(
    ledgerPath(query, { offset: 75 }),
    "/console/finance/a%2F1?start=2026-01-01&limit=25&offset=75",
  );
  assertEquals(
    ledgerPath(query, { format: "csv" }),
    "/console/finance/a%2F1?start=2026-01-01&limit=25&offset=50&format=csv",
  );
});

Deno.test("the flow's days are the filters', else the last 365 days up to today", () => {
  const now = Date.parse("2026-03-10T22:00:00Z");
  const span = (start?: string, end?: string) => flowSpan({ start, end }, now);
  assertEquals(span(), { first: "2025-03-11", last: "2026-03-10" });
  assertEquals(span("2026-01-05"), { first: "2026-01-05", last: "2026-03-10" });
  assertEquals(span("2026-01-05", "2026-02-01"), { first: "2026-01-05", last: "2026-02-01" });
  assertEquals(span("2026-01-05", "2030-01-01"), { first: "2026-01-05", last: "2026-03-10" });
  assertEquals(span(undefined, "2025-12-31"), { first: "2025-01-01", last: "2025-12-31" });
});
