/** The full-page animation after an enquiry was sent, which looks like a teletype. */
import type { ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CONFIG } from "../../lib/features/contact/config.ts";
import type { ChainClient } from "./chain_client.ts";
import { Feed, NEAR_BOTTOM, Typed } from "./Feed.tsx";
import { type LoadVerifier, LogLine } from "./LogLine.tsx";
import { lineLength, type MessageLine, messageOf, spoken } from "./message.ts";
import { QrCode } from "../QrCode.tsx";
import type { Receipt } from "./responses.ts";
import type { LiveSequence } from "./run_sequence.ts";

const ENDS: MessageLine = { text: CONFIG.COPY.MESSAGE_ENDS, kind: "ends" };

/**
 * The black page, which types the message and then the feed. The typed text is hidden from screen
 * readers, which get whole texts from a log.
 */
export function Teletype(
  { receipt, chain, sequence, load }: {
    receipt: Receipt;
    chain: ChainClient;
    sequence: LiveSequence;
    load: LoadVerifier;
  },
) {
  const state = sequence.state.value;
  const { phase, plan } = state;
  const paper = useRef<HTMLDivElement>(null);
  const lines = messageOf(receipt);
  const started = phase !== "standby" && phase !== "fade";
  const ended = started && phase !== "teletype";
  const fed = phase === "feed" || phase === "watch";
  const line = ended ? lines.length : started ? sequence.line.value : -1;

  useLayoutEffect(() => paper.current!.focus(), []);
  // The button that skipped the typing is gone at the end.
  useLayoutEffect(() => {
    const { activeElement } = paper.current!.getRootNode() as ShadowRoot;
    if (phase === "watch" && activeElement === null) paper.current!.focus({ preventScroll: true });
  }, [phase]);
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
        {ended && <p>{spoken(ENDS)}</p>}
      </div>
      {lines.slice(0, line + 1).map((one, i) => (
        <Line key={i} line={one} chars={i === line ? sequence.chars : null} />
      ))}
      {ended && <Line line={ENDS} chars={phase === "ends" ? sequence.chars : null} />}
      {fed && (
        <Feed
          key={state.restarts}
          chain={chain}
          sequence={sequence}
          verifyUrl={receipt.verify_url}
        />
      )}
      {fed && <LogLine receipt={receipt} size={state.rows.length} load={load} />}
    </div>
  );
}

/** @param props.chars how many characters are typed; null once the line is complete */
function Line({ line, chars }: { line: MessageLine; chars: ReadonlySignal<number> | null }) {
  const busy = chars !== null;
  const typed = chars?.value ?? lineLength(line);
  if ("qr" in line) {
    return (
      <a class="qr-link" href={line.qr} target="_blank" rel="noopener">
        <QrCode text={line.qr} label={CONFIG.COPY.QR} />
      </a>
    );
  }
  if ("text" in line) {
    return (
      <p class={line.kind ?? "line"} aria-hidden="true">
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
