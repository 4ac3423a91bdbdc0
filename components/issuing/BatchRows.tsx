/**
 * The rows of a batch in the console.
 *
 * @module
 */
import { plural } from "../../lib/base/time.ts";
import { issuedPath } from "../../lib/features/issuing/issued_path.ts";
import {
  type BatchItem,
  type BatchItems,
  ROWS_PER_PAGE,
} from "../../lib/features/issuing/console_batches.ts";
import type { BatchRow, RowState } from "../../lib/features/issuing/batches/mod.ts";
import { currentVersion } from "../../lib/features/documents/mod.ts";
import { MAIL_FAILURES } from "../../lib/platform/mail/kinds.ts";
import { ListBar, Pager } from "../Pager.tsx";
import { type ListColumns, Table } from "../Table.tsx";

interface BatchRowsProps extends BatchItems {
  batch: BatchRow;
  /** The path of the page of the batch. */
  path: string;
  /** The paths of the console's pages about the mail to each address. */
  mailPaths: ReadonlyMap<string, string>;
}

/** The rows of a batch, each with its certificate to look at. */
export function BatchRows(props: BatchRowsProps) {
  const { items, from, next, undelivered, batch, path, mailPaths } = props;
  if (items.length === 0 && !undelivered) return null;
  const query = undelivered ? "mail=failed&" : "";
  const to = (n: number, text: string) => ({ href: `${path}?${query}from=${n}#rows`, text });
  return (
    <section id="rows" aria-labelledby="rows-title">
      <h2 id="rows-title">Rows</h2>
      <ListBar
        shown={undelivered
          ? items.length === 0
            ? "No email of this batch came back"
            : "Only rows whose email came back"
          : `Rows ${from + 1} to ${from + items.length} of ${plural(batch.rows, "row")}`}
      >
        {undelivered
          ? <a class="button small" href={`${path}#rows`}>Show all rows</a>
          : batch.returned > 0 && (
            <a class="button small" href={`${path}?mail=failed#rows`}>Show only what came back</a>
          )}
      </ListBar>
      {items.length > 0 && (
        <Table
          class="dense-table stacked issued-table batch-rows"
          caption="Rows of the file"
          columns={ROW_COLUMNS}
          items={items}
          keyOf={({ line }) => line.n}
          view={{ batch, path, from, mailPaths }}
        />
      )}
      <Pager
        label="Pages of rows"
        previous={from === 0
          ? null
          : undelivered
          ? to(0, "First")
          : to(Math.max(0, from - ROWS_PER_PAGE), "Previous")}
        next={next === null ? null : to(next, "Next")}
      />
    </section>
  );
}

const STATES: Record<RowState, { text: string; pill: string }> = {
  waiting: { text: "Not issued yet", pill: "" },
  issued: { text: "Issued", pill: "good" },
  sent: { text: "Emailed", pill: "good" },
  failed: { text: "Failed", pill: "bad" },
  removed: { text: "Erased", pill: "" },
  kept: { text: "Kept", pill: "warn" },
};

/** Returns the name of the recipient of a row. */
const nameOf = ({ line, document, recipient }: BatchItem): string | undefined =>
  document?.named ?? recipient?.name ?? line.values?.name;

type RowView = Pick<BatchRowsProps, "batch" | "path" | "from" | "mailPaths">;

const ROW_COLUMNS: ListColumns<BatchItem, RowView> = {
  line: {
    title: "Line",
    class: "line digits",
    look: "muted",
    cell: ({ line }) => (
      <>
        <span class="line-word">Line</span>
        {line.line}
      </>
    ),
  },
  recipient: { title: "Recipient", look: "name", cell: (item) => nameOf(item) ?? "–" },
  email: {
    title: "Email",
    class: "email",
    look: "muted",
    cell: ({ line, recipient }, { mailPaths }) => {
      const email = recipient?.email ?? line.values?.email;
      const mail = email && mailPaths.get(email);
      return mail ? <a href={mail} title="Where is this email?">{email}</a> : email ?? "–";
    },
  },
  external_id: {
    title: "External id",
    class: "external",
    look: "muted",
    cell: ({ line }) => line.external_id ?? "–",
  },
  state: { title: "State", class: "status", cell: (item) => <RowStatus {...item} /> },
  look: {
    title: "Certificate",
    class: "look",
    cell: (item, view) => <Look item={item} {...view} />,
  },
};

function RowStatus({ line: { state, problem, mail }, document }: BatchItem) {
  const sent = mail === null ? STATES[state] : { text: "Not delivered", pill: "bad" };
  const isWithdrawn = document !== null && currentVersion(document) === null;
  const { text, pill } = isWithdrawn ? { text: "Withdrawn", pill: "bad" } : sent;
  return (
    <>
      <span class={`pill ${pill}`.trim()}>{text}</span>
      {isWithdrawn && <small>{sent.text}</small>}
      {problem !== null && <small class="anywhere">{problem.message}</small>}
      {mail !== null && <small class="anywhere">{MAIL_FAILURES[mail]}</small>}
    </>
  );
}

/** The link to the certificate of a row, also before it is issued. */
function Look({ item, batch, path, from }: RowView & { item: BatchItem }) {
  const { line, document } = item;
  const label = `View: the certificate of ${nameOf(item)}`;
  const href = document !== null
    ? issuedPath(document)
    : batch.state === "checked" && line.values !== null
    ? `${path}?row=${line.n}&from=${from}#look`
    : null;
  return href === null ? null : <a href={href} aria-label={label}>View</a>;
}
