/**
 * The page of the audit log.
 *
 * @module
 */
import type { AuditNames, AuditPerson } from "./names.ts";
import {
  AUDIT_LIFETIME_MS,
  type AuditFilters,
  auditList,
  type AuditPage as Page,
  type AuditQuery,
} from "../../lib/features/audit/mod.ts";
import { DAY_MS, formatDay, plural } from "../../lib/base/time.ts";
import { PageHead } from "../console_parts.tsx";
import { type Listed, ListPage, tableOf } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import { AUDIT_COLUMNS } from "./audit_columns.tsx";

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
  const { query, typed } = filters;
  return (
    <>
      <PageHead
        title="Audit log"
        lead={`Sign-ins to this console, exports, and changes that administrators made, in the last ${KEPT}.`}
      />
      <ListPage
        list={auditList}
        filters={filters}
        class="audit-filters"
        choices={{ person: personChoices(people, typed.person) }}
        page={page && query && listed(query, page, { people, names })}
      />
    </>
  );
}

/** Returns the people to choose from, and the chosen one even if no address is known. */
function personChoices(people: readonly AuditPerson[], chosen: string): [string, string][] {
  const choices = people.map(({ key, email }): [string, string] => [key, email]);
  const isListed = chosen === "" || people.some(({ key }) => key === chosen);
  return isListed ? choices : [...choices, [chosen, "Somebody else"]];
}

function listed(
  query: AuditQuery,
  { entries, next }: Page,
  { people, names }: Pick<AuditPageProps, "people" | "names">,
): Listed {
  const { after } = query;
  const keys = new Map(people.map(({ key, email }) => [email, key]));
  return {
    title: "Entries",
    empty: <NoEntries query={query} />,
    shown: after === undefined
      ? "Newest first, in UTC"
      : `Before ${formatDay(after.at)}, newest first, in UTC`,
    exports: true,
    items: tableOf({
      class: "dense-table stacked admin-table audit-table",
      caption: "Entries, newest first",
      columns: AUDIT_COLUMNS,
      shown: ["at", "by", "action", "object"],
      items: entries,
      keyOf: ({ id }) => id,
      view: { query, names, keys },
    }),
    pages: entries.length === 0 ? null : {
      label: "Pages of entries",
      previous: after && { to: {}, text: "Newest" },
      next: next && { to: { after: next }, text: "Older" },
    },
  };
}

const NoEntries = ({ query }: { query: AuditQuery }) => (
  <StateNote kind="empty" title="No entries">
    <p>
      {query.after !== undefined
        ? <a href={auditList.href(query)}>Go to the newest entries.</a>
        : auditList.isFiltered(query)
        ? <a href="/console/audit">Clear the filters to see all entries.</a>
        : "The next sign-in, and the next change that an administrator makes, appear here."}
    </p>
  </StateNote>
);
