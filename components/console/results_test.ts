import { assertEquals } from "@std/assert";
import { alertActionSchema } from "../alerts/actions.ts";
import { inboxActionSchema } from "../../lib/features/inbox/mod.ts";
import { recordActionSchema } from "../../lib/features/records/record_actions.ts";
import { CONSOLE_RESULTS } from "../../lib/features/console/results.ts";

/** Every value of `act` in the schema of a form. */
function actionsOf(schema: { options: readonly unknown[] }): string[] {
  return schema.options.flatMap((option) => {
    const { act } = (option as { shape: { act: { options?: string[]; value?: string } } }).shape;
    return act.options ?? [act.value!];
  });
}

/** The results of record actions whose names other actions have too. */
const RENAMED: Record<string, string> = { revoke: "revoke_level", delete: "delete_record" };

/** The result of an action on enquiries whose name an action on alerts has too. */
const RENAMED_ENQUIRY: Record<string, string> = { reopen: "reopen_enquiry" };

Deno.test("every action of the alerts, of a record and of an enquiry has a result", () => {
  const actions = [
    ...actionsOf(alertActionSchema),
    ...actionsOf(recordActionSchema).map((act) => RENAMED[act] ?? act),
    ...actionsOf(inboxActionSchema).map((act) => RENAMED_ENQUIRY[act] ?? act),
  ];
  assertEquals(actions.filter((act) => !Object.hasOwn(CONSOLE_RESULTS, act)), []);
});
