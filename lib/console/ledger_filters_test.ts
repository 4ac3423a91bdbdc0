import { assertEquals } from "@std/assert";
import { ledgerPath, readLedgerFilters } from "./ledger_filters.ts";

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

Deno.test("empty fields are ignored", () => {
  assertEquals(queryOf("?start=&end=&limit=25"), { account_id: "a1", limit: 25, offset: 0 });
});

Deno.test("the account comes from the path, not from the query", () => {
  assertEquals(queryOf("?account_id=other")?.account_id, "a1");
});

Deno.test("invalid filters return an issue for each field and what was typed", () => {
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

Deno.test("ledgerPath() returns an address with the filters", () => {
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
