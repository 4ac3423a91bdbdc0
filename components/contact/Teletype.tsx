import { useLayoutEffect, useRef } from "preact/hooks";
import { CONFIG } from "../../lib/features/contact/config.ts";
import type { ChainClient } from "./chain_client.ts";
import { Feed, NEAR_BOTTOM, Typed } from "./Feed.tsx";
import { lineLength, type MessageLine, messageOf, spoken } from "./message.ts";
import { QrCode } from "../QrCode.tsx";
import type { Receipt } from "./responses.ts";
import type { SequenceMoment } from "./run_sequence.ts";
import { progress } from "./typing.ts";

const { COPY } = CONFIG;

/**
 * The black page, which types the message and then the feed. The typed text is hidden from screen
 * readers, which get whole texts from a log.
 */
export function Teletype(
  { receipt, chain, moment }: { receipt: Receipt; chain: ChainClient; moment: SequenceMoment },
) {
  const { state, now } = moment;
  const { phase, plan, since } = state;
  const paper = useRef<HTMLDivElement>(null);
  const lines = messageOf(receipt);
  const started = phase !== "standby" && phase !== "fade";
  const ended = started && phase !== "teletype";
  const fed = phase === "feed" || phase === "watch";
  const { line, chars } = phase === "teletype"
    ? progress(plan.lines, now - since, plan.pace)
    : { line: started ? lines.length : -1, chars: 0 };
  const ending = phase === "ends" ? progress([plan.ending], now - since, plan.pace) : null;

  useLayoutEffect(() => paper.current!.focus(), []);
  // The page follows the typing, unless the user has scrolled up. Without typing, it stays at the
  // top.
  const end = useRef(0);
  useLayoutEffect(() => {
    const view = paper.current!.closest("dialog")!;
    const atEnd = view.scrollTop + view.clientHeight > end.current - NEAR_BOTTOM;
    end.current = view.scrollHeight;
    if (started && plan.pace.char > 0 && atEnd) view.scrollTop = view.scrollHeight;
  }, [phase, line, state.typed, state.rows.length]);

  return (
    <div ref={paper} class="paper" tabindex={-1}>
      <div class="away" role="log">
        {started && lines.map((line, i) => <p key={i}>{spoken(line)}</p>)}
        {ended && <p>{COPY.MESSAGE_ENDS}</p>}
      </div>
      {lines.slice(0, line + 1).map((one, i) => (
        <Line key={i} line={one} typed={i < line ? lineLength(one) : chars} busy={i === line} />
      ))}
      {ended && (
        <p class="ends" aria-hidden="true">
          <Typed
            text={COPY.MESSAGE_ENDS}
            count={ending === null || ending.line > 0 ? COPY.MESSAGE_ENDS.length : ending.chars}
            busy={ending !== null}
          />
        </p>
      )}
      {fed && (
        <Feed
          key={state.restarts}
          chain={chain}
          moment={moment}
          verifyUrl={receipt.verify_url}
        />
      )}
    </div>
  );
}

function Line({ line, typed, busy }: { line: MessageLine; typed: number; busy: boolean }) {
  if ("qr" in line) {
    return (
      <a class="qr-link" href={line.qr} target="_blank" rel="noopener">
        <QrCode text={line.qr} label={COPY.QR} />
      </a>
    );
  }
  if ("text" in line) {
    return (
      <p class={line.title ? "title" : "line"} aria-hidden="true">
        <Typed text={line.text} count={typed} busy={busy} />
      </p>
    );
  }
  const { label, value } = line;
  const inValue = typed >= label.length;
  return (
    <p class="line labelled" aria-hidden="true">
      <span class="label">
        <Typed text={label} count={Math.min(typed, label.length)} busy={busy && !inValue} />
      </span>
      <span class="value">
        <Typed text={value} count={Math.max(0, typed - label.length)} busy={busy && inValue} />
      </span>
    </p>
  );
}
