import { afterRow, choice, period } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";

/** The properties of an entry that the filters test. */
interface Tested {
  action: AuditAction;
  /** The key of the operator, if the query has a person. */
  person: string | undefined;
}

export const auditList = defineList("/console/audit", {
  person: {
    kind: "choice",
    label: "Person",
    any: "Everyone",
    issue: "Choose a person from the list.",
    logged: "of one person",
    parse: (key: string) => /^[\w-]{16}$/.test(key) ? key : undefined,
    test: (key: string) => ({ person }: Tested) => person === key,
  },
  action: choice(AUDIT_ACTIONS, {
    label: "Action",
    any: "All",
    issue: "Choose an action from the list.",
    test: (chosen) => ({ action }: Tested) => action === chosen,
  }),
  ...period(),
  after: afterRow("There is no such page."),
});

export type AuditQuery = Query<typeof auditList.filters>;
export type AuditFilters = ReadFilters<typeof auditList.filters>;
