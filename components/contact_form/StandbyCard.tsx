import { CONFIG } from "../../lib/contact/config.ts";
import type { Receipt } from "./answers.ts";
import { timestamp } from "./words.ts";

const { COPY } = CONFIG;

/** Phase 1: the receipt, held for a moment. A screen reader is told it beside this. */
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
