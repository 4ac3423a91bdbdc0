/**
 * Compares `docs/ops/costs.md` with what each request costs. A process of its own counts (`tests/costs/`).
 *
 * @module
 */
import { assert } from "@std/assert";
import { budgetFaultsOf } from "./costs/budgets.ts";
import { DOCUMENT, effortsOf, faultsOf, readTables } from "./costs/document.ts";
import { measureCosts } from "./costs/measure.ts";

Deno.test("docs/ops/costs.md has what each request costs, with a reason where it is more than the limit", async () => {
  const tables = readTables(await Deno.readTextFile(DOCUMENT));
  const { costs, problems } = await measureCosts(effortsOf(tables));
  const faults = [...problems, ...budgetFaultsOf(costs), ...faultsOf(tables, costs)];
  const advice = "If the numbers are as they should be, write them with: deno task costs";
  assert(faults.length === 0, `\n${[...faults, advice].join("\n")}`);
});
