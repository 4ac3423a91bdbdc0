import { assertEquals } from "@std/assert";
import { DECISION_RESULTS, decisionResult } from "./results.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");

Deno.test("the result of a decision is shown only while the request is in the state that it led to", () => {
  const after = {
    approve: "approved",
    refuse: "refused",
    revoke: "revoked",
    undo: "open",
  } as const;
  const person = { name: "Sam", email: "sam@example.org" };
  const request = { id: "1", person, undo_until: null, decided_by: "holder" };
  type Request = Parameters<typeof decisionResult>[1];
  for (const done of Object.keys(DECISION_RESULTS) as (keyof typeof after)[]) {
    for (const state of Object.values(after)) {
      const result = decisionResult({ done, of: "1" }, { ...request, state } as Request, {
        by: "holder",
        now: NOW,
      });
      const title = state === after[done] ? DECISION_RESULTS[done].title("Sam") : undefined;
      assertEquals(result?.title, title, `${done}, ${state}`);
    }
  }
});
