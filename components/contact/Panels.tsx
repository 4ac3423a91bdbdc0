/** The panels that follow the contact form: receipts, the note about a record, and the buttons to close or skip. */
import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { CONFIG, doneTitleOf } from "../../lib/features/contact/config.ts";
import { MASKED_FIELDS } from "../../lib/features/contact/fields.ts";
import { useCopy } from "../CopyButton.tsx";
import { timestamp } from "./message.ts";
import { QrCode } from "../QrCode.tsx";
import type { Receipt } from "./responses.ts";

const { COPY } = CONFIG;
const { RECORDED, NOT_GIVEN } = COPY.MESSAGE;

/** Phase 1: the receipt, shown briefly. Screen readers get a live region instead. */
export function StandbyCard({ receipt }: { receipt: Receipt }) {
  const [{ at }] = receipt.events;
  return (
    <div class="receipt" aria-hidden="true">
      <p class="stand-by">{COPY.STAND_BY}</p>
      <div class="hold">
        <div />
      </div>
      <p>{COPY.STAND_BY_NOTE}</p>
      <dl>
        <dt>{COPY.MESSAGE.RECORDED}</dt>
        <dd>{timestamp(at)} UTC</dd>
        <dt>{COPY.MESSAGE.RECORD}</dt>
        <dd>{receipt.hash.slice(0, 16)}…</dd>
      </dl>
    </div>
  );
}

/** The receipt, shown in place of the form once the sequence is over. */
export function DoneNote(
  { records, onAgain }: { records: readonly Receipt[]; onAgain: () => void },
) {
  const [receipt, ...earlier] = records;
  const { organisation, hash, events: [{ at }], masked, verify_url } = receipt;
  return (
    <div class="done">
      <h2>{doneTitleOf(organisation)}</h2>
      <p>{COPY.DONE_NOTE}</p>
      <Hash hash={hash} />
      <div class="facts">
        <dl>
          <dt>{RECORDED}</dt>
          <dd>{timestamp(at)} UTC</dd>
          {MASKED_FIELDS.map(({ name, label }) => (
            <Fragment key={name}>
              <dt>{label.toUpperCase()}</dt>
              <dd>{masked[name] ?? NOT_GIVEN}</dd>
            </Fragment>
          ))}
        </dl>
        <QrCode text={verify_url} label={COPY.QR} />
      </div>
      <p class="actions">
        <a class="button primary" href={verify_url} target="_blank" rel="noopener">
          {COPY.VERIFY}
        </a>
        <button type="button" class="button" onClick={onAgain}>{COPY.AGAIN}</button>
      </p>
      {earlier.length > 0 && (
        <div class="earlier">
          <p>{COPY.EARLIER_RECORDS}</p>
          <ul>
            {earlier.map(({ hash, verify_url }) => (
              <li key={hash}>
                <a href={verify_url} target="_blank" rel="noopener">{hash}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** The note that stays on the page once the sequence is closed, until the tab is closed. It can be folded. */
export function RecordNote(
  { receipt, hidden, folded, onFold, onOpen }: {
    receipt: Receipt;
    hidden: boolean;
    folded: boolean;
    onFold: (folded: boolean) => void;
    onOpen: () => void;
  },
) {
  return (
    <aside aria-label={COPY.NOTE} hidden={hidden}>
      <details class="note" open={!folded}>
        <summary
          onClick={(event) => {
            event.preventDefault(); // the page may be left before the browser's `toggle` event
            onFold(!folded);
          }}
        >
          {COPY.NOTE}
        </summary>
        <p>{doneTitleOf(receipt.organisation)}.</p>
        <Hash hash={receipt.hash} />
        <p class="actions">
          <button type="button" class="button small primary" onClick={onOpen}>
            {COPY.OPEN_RECEIPT}
          </button>
          <a class="button small" href={receipt.verify_url} target="_blank" rel="noopener">
            {COPY.VERIFY_SHORT}
          </a>
        </p>
      </details>
    </aside>
  );
}

/** A record's hash with a button that copies it, or selects it if the clipboard is blocked. */
function Hash({ hash }: { hash: string }) {
  const text = useRef<HTMLElement>(null);
  const { outcome, copy } = useCopy(hash, text);
  const isCopied = outcome === "copied";
  return (
    <div class="hash">
      <code ref={text}>{hash}</code>
      <button type="button" class="button small" onClick={copy}>
        {isCopied ? `✓ ${COPY.COPIED}` : COPY.COPY_HASH}
      </button>
      <span role="status" class={isCopied ? "away" : "blocked"}>
        {isCopied && COPY.COPIED}
        {outcome === "refused" && COPY.COPY_BLOCKED}
      </span>
    </div>
  );
}

export function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="close" aria-label={COPY.CLOSE} onClick={onClick}>
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" stroke-width="1.8" />
      </svg>
    </button>
  );
}

/** The control of the running sequence, which cannot be closed yet: it completes the text. */
export const SkipButton = ({ done, onClick }: { done: boolean; onClick: () => void }) => (
  <button
    type="button"
    class="skip"
    aria-disabled={done}
    aria-label={COPY.SKIP_NAME}
    onClick={onClick}
  >
    {COPY.SKIP}
  </button>
);
