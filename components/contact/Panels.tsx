import { CONFIG, doneTitleOf } from "../../lib/contact/config.ts";
import { timestamp } from "./message.ts";
import type { Receipt } from "./responses.ts";

const { COPY } = CONFIG;

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

/** In page mode, replaces the form once the feed is closed. */
export function DoneNote({ receipt, onAgain }: { receipt: Receipt; onAgain: () => void }) {
  return (
    <div class="done">
      <h2>{doneTitleOf(receipt.organisation)}</h2>
      <p>{COPY.DONE_NOTE}</p>
      <p class="hash">{receipt.hash}</p>
      <p class="actions">
        <a class="button primary" href={receipt.verify_url} target="_blank" rel="noopener">
          {COPY.VERIFY}
        </a>
        <button type="button" class="button" onClick={onAgain}>{COPY.AGAIN}</button>
      </p>
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
