import {
  currentVersion,
  type DocumentRow,
  formatDocumentId,
  isReasonPublic,
  latestVersion,
  MAX_REASON,
  REASON_HINT,
  statusOf,
} from "../../../lib/features/documents/mod.ts";
import type { Recipient } from "../../../lib/features/issuing/mod.ts";
import { kindLabel, STATUS_COLOURS, STATUS_WORDS } from "../../documents/texts.ts";
import { Field } from "../../Field.tsx";
import { Time } from "../../Time.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection, IssuerView } from "./section.ts";

/** How many documents the page of an issuer shows. */
const LATEST = 20;

type Row = { document: DocumentRow; recipient: Recipient | null };

export const documentsSection: IssuerSection<Row[]> = {
  id: "documents",
  title: "Documents",
  async read({ id, state: { services: { documents, issuing } } }) {
    const latest = await documents.latestOf(id, LATEST);
    const recipients = await issuing.recipientsOf(latest);
    return latest.map((document) => ({
      document,
      recipient: recipients.get(document.recipient ?? "") ?? null,
    }));
  },
  show: (view, rows) => ({
    content: rows.length === 0
      ? <p class="muted">None yet. A document that names this issuer appears here.</p>
      : (
        <>
          <p>
            {rows.length === LATEST ? `The latest ${LATEST}, ` : "All, "}
            the newest first, without tests.
          </p>
          <ul class="record-rows">
            {rows.map((row) => <Document key={row.document.id} view={view} {...row} />)}
          </ul>
        </>
      ),
  }),
};

const RECIPIENT_STATES: Record<Recipient["state"], string> = {
  waiting: "waits for its recipient",
  accepted: "accepted by its recipient",
  refused: "refused: the address is not the recipient’s",
  lapsed: "not accepted in time",
};

function Document({ view, document, recipient }: Row & { view: IssuerView }) {
  const { state: { services }, now } = view;
  const { id, title, kind, created_at, record } = document;
  const status = statusOf(document, latestVersion(document), now);
  const url = services.surfaces.url("trust", `/d/${id}`);
  const fields = { document: id };
  const refused = refusedForm(view, "withdraw", fields);
  return (
    <li class="stack baseline gap-0-4 ruled anywhere">
      <span>
        {url === null ? title : <a href={url}>{title}</a>}
        <span class={`pill ${STATUS_COLOURS[status].pill}`}>{STATUS_WORDS[status]}</span>
      </span>
      <Time class="muted text-small" at={created_at} day />
      <span class="muted text-small">
        {kindLabel(kind)} {formatDocumentId(id)}
        {recipient !== null && `, ${RECIPIENT_STATES[recipient.state]}`}
        {record !== null && (
          <>
            {", "}
            <a href={`/console/records/${record}/documents/${id}`}>in a record</a>
          </>
        )}
      </span>
      {currentVersion(document) !== null && (
        <details class="text-small" open={refused !== undefined}>
          <summary>
            Withdraw<span class="visually-hidden">{` ${title}`}</span>
          </summary>
          <p>
            Its page then says that it was withdrawn
            {isReasonPublic(document) ? ", and why" : ""}. The issuer and the recipient see the
            reason. This can’t be undone.
          </p>
          <IssuerForm view={view} act="withdraw" fields={fields} submit="Withdraw" tone="danger">
            <Field
              name={`reason-${id}`}
              label="Reason"
              hint={REASON_HINT}
              required
              problem={refused?.issues.reason}
            >
              {(control) => (
                <input
                  {...control}
                  name="reason"
                  value={refused?.values.reason}
                  maxlength={MAX_REASON}
                  autocomplete="off"
                />
              )}
            </Field>
          </IssuerForm>
        </details>
      )}
    </li>
  );
}
