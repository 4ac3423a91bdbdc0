import type { AuditNames, AuditPerson, NamedObject } from "../../lib/features/console/audit_log.ts";
import {
  AUDIT_ACTIONS,
  AUDIT_LIFETIME_MS,
  type AuditEntry,
  type AuditFilters,
  auditList,
  type AuditObject,
  type AuditPage as Page,
  type AuditQuery,
} from "../../lib/features/audit/mod.ts";
import { formatDocumentId } from "../../lib/features/documents/mod.ts";
import { DAY_MS, formatDay, plural } from "../../lib/base/time.ts";
import { FilterBar } from "../FilterBar.tsx";
import { StateNote } from "../StateNote.tsx";
import { DownloadLink, ListBar, Pager } from "../Pager.tsx";
import { PageHead } from "./parts.tsx";
import { Time } from "../Time.tsx";

interface AuditPageProps {
  filters: AuditFilters;
  /** Null if the filters are invalid. */
  page: Page | null;
  /** The current operators, and everyone in the page's entries. */
  people: readonly AuditPerson[];
  names: AuditNames;
}

const KEPT = plural(AUDIT_LIFETIME_MS / DAY_MS, "day");

/** The actions of the operators of the console's organisation, newest first. */
export function AuditPage({ filters, page, people, names }: AuditPageProps) {
  return (
    <>
      <PageHead
        title="Audit log"
        lead={`Sign-ins to this console, exports, and changes that administrators made, in the last ${KEPT}.`}
      />
      <FilterBar
        list={auditList}
        filters={filters}
        class="audit-filters"
        choices={{ person: personChoices(people, filters.typed.person) }}
      />
      {page === null || filters.query === null
        ? (
          <StateNote kind="error" title="Some filters are invalid">
            <p>Correct the marked fields, then apply the filters.</p>
          </StateNote>
        )
        : <Entries query={filters.query} {...{ page, people, names }} />}
    </>
  );
}

/** Returns the people to choose from, and the chosen one even if no address is known. */
function personChoices(people: readonly AuditPerson[], chosen: string): [string, string][] {
  const choices = people.map(({ key, email }): [string, string] => [key, email]);
  const isListed = chosen === "" || people.some(({ key }) => key === chosen);
  return isListed ? choices : [...choices, [chosen, "Somebody else"]];
}

function Entries({ query, page: { entries, next }, people, names }: {
  query: AuditQuery;
  page: Page;
  people: readonly AuditPerson[];
  names: AuditNames;
}) {
  const { after } = query;
  if (entries.length === 0) {
    return (
      <StateNote kind="empty" title="No entries">
        <p>
          {after !== undefined
            ? <a href={auditList.href(query)}>Go to the newest entries.</a>
            : auditList.isFiltered(query)
            ? <a href="/console/audit">Clear the filters to see all entries.</a>
            : "The next sign-in, and the next change that an administrator makes, appear here."}
        </p>
      </StateNote>
    );
  }
  const keys = new Map(people.map(({ key, email }) => [email, key]));
  return (
    <section aria-labelledby="list-title">
      <h2 id="list-title" class="visually-hidden">Entries</h2>
      <ListBar
        shown={after === undefined
          ? "Newest first, in UTC"
          : `Before ${formatDay(after.at)}, newest first, in UTC`}
      >
        <DownloadLink href={auditList.href(query, { format: "csv" })} />
      </ListBar>
      <table class="dense-table stacked admin-table audit-table">
        <caption class="visually-hidden">Entries, newest first</caption>
        <thead>
          <tr>
            <th scope="col" class="when">Time</th>
            <th scope="col" class="who">Person</th>
            <th scope="col" class="what">Action</th>
            <th scope="col" class="about">About</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} {...{ entry, query, names }} person={keys.get(entry.by)} />
          ))}
        </tbody>
      </table>
      <Pager
        label="Pages of entries"
        previous={after && { href: auditList.href(query), text: "Newest" }}
        next={next && { href: auditList.href(query, { after: next }), text: "Older" }}
      />
    </section>
  );
}

function Row({ entry: { at, by, action, object, detail }, query, names, person }: {
  entry: AuditEntry;
  query: AuditQuery;
  names: AuditNames;
  person: string | undefined;
}) {
  const { person: _, ...filters } = query;
  return (
    <tr>
      <td class="when">
        <Time at={at} />
      </td>
      <td class="who" title={by}>
        {person === undefined ? by : <a href={auditList.href({ person, ...filters })}>{by}</a>}
      </td>
      <td class="what" title={detail ?? undefined}>
        {AUDIT_ACTIONS[action] ?? action}
        {detail !== null && <small>{detail}</small>}
      </td>
      <td class="about">
        <About {...object} names={names} />
      </td>
    </tr>
  );
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
