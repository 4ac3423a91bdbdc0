/**
 * Counts what each request costs and writes the numbers into `docs/ops/costs.md`. Limits and reasons stay.
 * Prints what changed, and the rows that need a reason.
 *
 *     deno task costs
 *
 * @module
 */
import { budgetFaultsOf } from "./budgets.ts";
import { DOCUMENT, effortsOf, faultsOf, readTables, writeTables } from "./document.ts";
import { measureCosts } from "./measure.ts";

const text = await Deno.readTextFile(DOCUMENT);
const tables = readTables(text);
const { costs, problems } = await measureCosts(effortsOf(tables));
console.log(
  [...problems, ...budgetFaultsOf(costs), ...faultsOf(tables, costs)].join("\n") ||
    "Nothing has changed.",
);
await Deno.writeTextFile(DOCUMENT, writeTables(text, costs));
