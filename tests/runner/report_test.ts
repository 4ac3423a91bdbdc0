import { assertEquals } from "@std/assert";
import { Report } from "./report.ts";

Deno.test("tests that take over a minute count once, with and without steps", () => {
  const report = new Report();
  const lines = [
    "running 4 tests from ./slow_test.ts",
    "waits ...'waits' has been running for over (1m0s)",
    "'waits' has been running for over (2m0s)",
    " ok (2m5s)",
    "has steps ...",
    "  first ...'has steps' has been running for over (1m0s)",
    " ok (1m1s)",
    "  second ... ok (1ms)",
    "has steps ... ok (1m2s)",
    "has a late step ...'has a late step' has been running for over (1m0s)",
    "  step ... ok (1ms)",
    "has a late step ... ok (1m1s)",
    "fails ...'fails' has been running for over (1m0s)",
  ];
  for (const line of lines) report.read(line);
  assertEquals([report.running, report.lost], ["fails", 1]);
  report.read(" FAILED (1m2s)");
  assertEquals([report.passed, report.failed, report.running, report.lost], [3, 1, null, 0]);
});

Deno.test("an error whose message contains a list of failures is kept, and that list is not counted", () => {
  const report = new Report();
  const own = "fails => ./a_test.ts:1:6";
  for (const line of ["fails ... FAILED (1ms)", " ERRORS ", own, "error: Error:"]) {
    report.read(line);
  }
  for (const line of [" FAILURES ", "", "nested => ./b_test.ts:1:6"]) report.read(line);
  for (const line of [" FAILURES ", "", own, "", "FAILED | 0 passed | 1 failed"]) report.read(line);
  assertEquals(report.errors, [own, "error: Error:", "nested => ./b_test.ts:1:6"]);
  assertEquals(report.failures, [own]);
});
