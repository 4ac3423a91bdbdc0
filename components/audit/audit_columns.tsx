/**
 * The columns of the audit log and of its export.
 *
 * @module
 */
import type { AuditNames, NamedObject } from "./names.ts";
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  auditList,
  type AuditObject,
  type AuditQuery,
} from "../../lib/features/audit/mod.ts";
import { formatDocumentId } from "../../lib/features/documents/mod.ts";
import type { ListColumns } from "../Table.tsx";
import { Time } from "../Time.tsx";

/** The rest of the data that cells depend on. */
export interface AuditView {
  query: AuditQuery;
  names: AuditNames;
  /** The keys of operators for URLs, by their addresses. */
  keys: ReadonlyMap<string, string>;
}

const of = (kind: Exclude<keyof AuditObject, "user">) => ({
  value: ({ object }: AuditEntry) => object[kind] ?? null,
});

/** The columns of the audit log. */
export const AUDIT_COLUMNS: ListColumns<AuditEntry, AuditView> = {
  at: {
    title: "Time",
    class: "when",
    cell: ({ at }) => <Time at={at} />,
    value: ({ at }) => at,
  },
  by: {
    title: "Person",
    class: "who",
    hint: ({ by }) => by,
    cell: ({ by }, view) => <Person by={by} {...view} />,
    value: ({ by }) => by,
  },
  action: {
    title: "Action",
    class: "what",
    hint: ({ detail }) => detail ?? undefined,
    cell: ({ action, detail }) => (
      <>
        {AUDIT_ACTIONS[action] ?? action}
        {detail !== null && <small>{detail}</small>}
      </>
    ),
    value: ({ action }) => action,
  },
  object: {
    title: "About",
    class: "about",
    cell: ({ object }, { names }) => <About {...object} names={names} />,
  },
  record: of("record"),
  document: of("document"),
  request: of("request"),
  issuer: of("issuer"),
  account: of("account"),
  user: { value: ({ object: { user } }) => user === undefined ? null : String(user) },
  operator: of("operator"),
  detail: { value: ({ detail }) => detail },
};

/** The address of an operator, which leads to their entries. */
function Person({ by, keys, query }: AuditView & { by: string }) {
  const person = keys.get(by);
  const { person: _, ...filters } = query;
  return person === undefined
    ? <>{by}</>
    : <a href={auditList.href({ person, ...filters })} aria-current="false">{by}</a>;
}

/** Names what an action was about, with a link. It may have been deleted since. */
function About(
  { record, document, issuer, account, user, operator, names }: AuditObject & { names: AuditNames },
) {
  if (operator !== undefined) return <span class="anywhere">{operator}</span>;
  if (issuer !== undefined) {
    return <Named {...names.issuers.get(issuer) ?? { name: "Removed issuer", href: null }} />;
  }
  if (account !== undefined) {
    return <Named {...names.accounts.get(account) ?? { name: `Account ${account}`, href: null }} />;
  }
  if (user !== undefined) return <>User {user}</>;
  return (
    <>
      {document !== undefined && (
        <Named
          {...names.documents.get(document) ??
            { name: `Document ${formatDocumentId(document)}`, href: null }}
        />
      )}
      {document !== undefined && record !== undefined && " "}
      {record !== undefined && (
        <a href={`/console/records/${record}`} aria-label={`Record ${record.slice(0, 8)}`}>
          <span class="mono">{record.slice(0, 8)}…</span>
        </a>
      )}
    </>
  );
}

const Named = ({ name, href }: NamedObject) =>
  href === null ? <span class="anywhere">{name}</span> : <a class="anywhere" href={href}>{name}</a>;
