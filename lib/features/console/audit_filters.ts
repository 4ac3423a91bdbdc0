import type { OpsConfig } from "../operators/mod.ts";
import { csvResponse, textCell } from "../../base/csv.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { periodIssues } from "../../base/time.ts";
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditCursor,
  type AuditEntry,
  type AuditLog,
  type AuditQuery,
  describeFilters,
} from "../audit/mod.ts";

const NAMES = ["person", "action", "from", "to", "after"] as const;
type FilterName = typeof NAMES[number];

/** The filters as typed, with the query, or the issues by field. */
export type AuditFilters =
  & { typed: Record<FilterName, string> }
  & ({ query: AuditQuery } | { issues: Partial<Record<FilterName, string>> });

const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z)~([\w-]{36})$/;
const isAction = (text: string): text is AuditAction => Object.hasOwn(AUDIT_ACTIONS, text);

/** Reads the filters of the audit log from its URL. Empty fields are ignored. */
export function readAuditFilters({ searchParams }: URL): AuditFilters {
  const typed = Object.fromEntries(
    NAMES.map((name) => [name, searchParams.get(name)?.slice(0, 80).trim() ?? ""]),
  ) as Record<FilterName, string>;
  const issues: Partial<Record<FilterName, string>> = periodIssues(typed);
  const query: AuditQuery = {};
  const { person, action, from, to, after } = typed;
  if (/^[\w-]{16}$/.test(person)) query.person = person;
  else if (person !== "") issues.person = "Choose a person from the list.";
  if (isAction(action)) query.action = action;
  else if (action !== "") issues.action = "Choose an action from the list.";
  if (from !== "") query.from = from;
  if (to !== "") query.to = to;
  const [, at, id] = CURSOR.exec(after) ?? [];
  if (at !== undefined) query.after = { at, id };
  else if (after !== "") issues.after = "There is no such page.";
  return Object.keys(issues).length > 0 ? { typed, issues } : { typed, query };
}

/** Returns the URL of the audit log with filters, from the newest entry or after an earlier page. */
export function auditPath(
  { person, action, from, to }: AuditQuery,
  { after, format }: { after?: AuditCursor; format?: "csv" } = {},
): string {
  const params = new URLSearchParams();
  const cursor = after && `${after.at}~${after.id}`;
  for (const [name, value] of Object.entries({ person, action, from, to, format, after: cursor })) {
    if (value !== undefined) params.set(name, value);
  }
  return params.size === 0 ? "/console/audit" : `/console/audit?${params}`;
}

export const AUDIT_COLUMNS = [
  "at",
  "by",
  "action",
  "record",
  "document",
  "request",
  "user",
  "detail",
];

/** Returns entries as rows of a CSV file with {@link AUDIT_COLUMNS}. */
export async function* auditRows(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string[]> {
  for await (const { at, by, action, object, detail } of entries) {
    const { record = "", document = "", request = "", user = "" } = object;
    yield [at, by, action, record, document, request, String(user), detail ?? ""].map(textCell);
  }
}

/** Returns the entries that a query selects as a CSV download, and adds it to the audit log. */
export async function exportAuditLog(
  audit: AuditLog,
  query: AuditQuery,
  { organisation, by }: { organisation: OrganisationKey; by: string },
): Promise<Response> {
  const { person, after: _, ...filters } = query;
  const of = person === undefined ? {} : { of: "one person" };
  const detail = describeFilters({ ...of, ...filters });
  await audit.add({ organisation, by, action: "audit_log_exported", detail });
  return csvResponse("audit-log", AUDIT_COLUMNS, auditRows(audit.all(organisation, query)));
}

/** An operator who can be chosen in the filters. */
export interface AuditPerson {
  /** Replaces the address in URLs. */
  key: string;
  email: string;
}

/** Returns the current operators, and those whose entries are shown, by address. */
export async function auditPeople(
  audit: AuditLog,
  { l1, l2 }: OpsConfig,
  entries: readonly AuditEntry[],
): Promise<AuditPerson[]> {
  const emails = new Set([...l1, ...l2, ...entries.map(({ by }) => by)]);
  return await Promise.all(
    [...emails].sort().map(async (email) => ({ key: await audit.personKey(email), email })),
  );
}
