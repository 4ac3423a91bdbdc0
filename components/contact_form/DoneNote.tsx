import { CONFIG } from "../../lib/contact/config.ts";
import type { Receipt } from "./answers.ts";

const { COPY } = CONFIG;

/** What stands in the page once the feed is closed. */
export function DoneNote({ receipt, onAgain }: { receipt: Receipt; onAgain: () => void }) {
  return (
    <div class="done">
      <h2>{COPY.DONE_TITLE}</h2>
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
