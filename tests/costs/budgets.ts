/**
 * The most that pages load before anybody uses them, by the section of `docs/ops/costs.md`. Unlike the limits
 * there, no reason allows more.
 *
 * @module
 */
import type { Costs } from "./measure.ts";

interface Budget {
  scripts: number;
  scriptBytes: number;
  styleBytes: number;
}

const PUBLIC: Budget = { scripts: 6, scriptBytes: 20_000, styleBytes: 8_000 };
/** Pages with a tool, such as the check of a file or a field for a key. */
const TOOL: Budget = { scripts: 8, scriptBytes: 45_000, styleBytes: 8_000 };
const CONSOLE: Budget = { scripts: 10, scriptBytes: 45_000, styleBytes: 12_000 };

const BUDGETS: Readonly<Record<string, Budget>> = {
  "Public pages": PUBLIC,
  "Pages of the trust surface": TOOL,
  "Pages that an emailed link opens": TOOL,
  "Pages of a record's holder": TOOL,
  "Pages of a user of the qualification site": PUBLIC,
  "Pages of a console": CONSOLE,
  "Pages of a board member": CONSOLE,
  "Pages of the foundation's console": CONSOLE,
  "Actions of people": TOOL,
  "Actions of people who are signed in": TOOL,
  "Actions in a console": CONSOLE,
};

/** Returns the pages that load more than they may. */
export function budgetFaultsOf(costs: Costs): string[] {
  return Object.entries(costs).flatMap(([section, requests]) =>
    Object.entries(requests).flatMap(([name, { page }]) => {
      const budget = BUDGETS[section];
      if (page === null || budget === undefined) return [];
      const counted: Budget = {
        scripts: page.scripts.files,
        scriptBytes: page.scripts.bytes,
        styleBytes: page.styles.bytes,
      };
      return (Object.keys(budget) as (keyof Budget)[])
        .filter((what) => counted[what] > budget[what])
        .map((what) => `${section}: ${name} has ${counted[what]} ${what} of ${budget[what]}.`);
    })
  );
}
