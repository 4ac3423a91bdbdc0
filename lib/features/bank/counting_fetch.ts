import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type Count, counter, ORGANISATIONS } from "../../platform/telemetry/mod.ts";

export const bankCalls = counter("bank_calls", "Requests to the bank's API, including retries.", {
  organisation: ORGANISATIONS,
  outcome: ["ok", "rejected", "failed", "unreachable"],
});

/** Returns a `fetch` that counts how each request of an organisation ended. */
export function countingFetch(
  inner: typeof fetch,
  { count, organisation }: { count: Count; organisation: OrganisationKey },
): typeof fetch {
  return async (input, init) => {
    try {
      const response = await inner(input, init);
      const outcome = response.ok ? "ok" : response.status < 500 ? "rejected" : "failed";
      count(bankCalls, { organisation, outcome });
      return response;
    } catch (error) {
      count(bankCalls, { organisation, outcome: "unreachable" });
      throw error;
    }
  };
}
