import { plural } from "../../../lib/base/time.ts";
import { issuedPath } from "../../../lib/features/console/issued_documents.ts";
import {
  type BatchItem,
  type BatchItems,
  ROWS_PER_PAGE,
} from "../../../lib/features/console/own_batches.ts";
import type { BatchRow, RowState } from "../../../lib/features/issuing/batches/mod.ts";
import { MAIL_FAILURES } from "../../../lib/platform/mail/kinds.ts";
import { ListBar, Pager } from "../../Pager.tsx";

interface BatchRowsProps extends BatchItems {
  batch: BatchRow;
  /** The path of the page of the batch. */
  path: string;
}

/** The rows of a batch, each with its certificate to look at. */
export function BatchRows({ items, from, next, undelivered, batch, path }: BatchRowsProps) {
  if (items.length === 0 && !undelivered) return null;
  const query = undelivered ? "mail=failed&" : "";
  const to = (n: number, text: string) => ({ href: `${path}?${query}from=${n}#rows`, text });
  return (
    <section id="rows" aria-labelledby="rows-title">
      <h2 id="rows-title">Rows</h2>
      <ListBar
        shown={undelivered
          ? items.length === 0
            ? "No mail of this batch came back"
            : "Only rows whose mail came back"
          : `Rows ${from + 1} to ${from + items.length} of ${plural(batch.rows, "row")}`}
      >
        {undelivered
          ? <a class="button small" href={`${path}#rows`}>Show all rows</a>
          : batch.returned > 0 && (
            <a class="button small" href={`${path}?mail=failed#rows`}>Show only what came back</a>
          )}
      </ListBar>
      {items.length > 0 && (
        <table class="dense-table stacked issued-table batch-rows">
          <caption class="visually-hidden">Rows of the file</caption>
          <thead>
            <tr>
              <th scope="col" class="line digits">Line</th>
              <th scope="col">Recipient</th>
              <th scope="col" class="email">Email</th>
              <th scope="col" class="external">External id</th>
              <th scope="col" class="status">State</th>
              <th scope="col" class="look">Certificate</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => <Row key={item.line.n} {...{ item, batch, path, from }} />)}
          </tbody>
        </table>
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
  sent: { text: "Mailed", pill: "good" },
  failed: { text: "Failed", pill: "bad" },
  removed: { text: "Erased", pill: "" },
  kept: { text: "Kept", pill: "warn" },
};

function Row({ item, batch, path, from }: {
  item: BatchItem;
  batch: BatchRow;
  path: string;
  from: number;
}) {
  const { line, document, recipient } = item;
  const { n, state, values, problem } = line;
  const name = document?.named ?? recipient?.name ?? values?.name;
  const { text, pill } = line.mail === null
    ? STATES[state]
    : { text: "Not delivered", pill: "bad" };
  return (
    <tr>
      <td class="line digits muted">
        <span class="line-word">Line</span>
        {line.line}
      </td>
      <td class="name">{name ?? "–"}</td>
      <td class="email muted">{recipient?.email ?? values?.email ?? "–"}</td>
      <td class="external muted">{line.external_id ?? "–"}</td>
      <td class="status">
        <span class={`pill ${pill}`.trim()}>{text}</span>
        {problem !== null && <small class="anywhere">{problem.message}</small>}
        {line.mail !== null && <small class="anywhere">{MAIL_FAILURES[line.mail]}</small>}
      </td>
      <td class="look">
        {document !== null
          ? (
            <a href={issuedPath(document)} aria-label={`Look at it: the certificate of ${name}`}>
              Look at it
            </a>
          )
          : batch.state === "checked" && values !== null && (
            <a
              href={`${path}?row=${n}&from=${from}#look`}
              aria-label={`Look at it: the certificate of ${name}`}
            >
              Look at it
            </a>
          )}
      </td>
    </tr>
  );
}
