import type { LabelsOf } from "./table.ts";

type BankOutcome = LabelsOf<"bank_calls">["outcome"];

/** Returns a `fetch` that reports how each request ended. */
export function countingFetch(
  inner: typeof fetch,
  report: (outcome: BankOutcome) => void,
): typeof fetch {
  return async (input, init) => {
    try {
      const response = await inner(input, init);
      report(response.ok ? "ok" : response.status < 500 ? "rejected" : "failed");
      return response;
    } catch (error) {
      report("unreachable");
      throw error;
    }
  };
}
