import { atRow, choice, period } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import { AUDIT_ACTIONS } from "./actions.ts";

/** The list of audit entries in the console, with its filters. */
export const auditList = defineList("/console/audit", {
  person: {
    kind: "choice",
    label: "Person",
    any: "Everyone",
    issue: "Choose a person from the list.",
    logged: "of one person",
    parse: (key: string) => /^[\w-]{16}$/.test(key) ? key : undefined,
  },
  action: choice(AUDIT_ACTIONS, {
    label: "Action",
    any: "All",
    issue: "Choose an action from the list.",
  }),
  ...period(),
  after: atRow("There is no such page."),
});

export type AuditQuery = Query<typeof auditList.filters>;
export type AuditFilters = ReadFilters<typeof auditList.filters>;
