/** The island that signs in by phone, or confirms a phone number, with a code sent by SMS or call. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Channel } from "../../lib/features/codes/mod.ts";
import {
  type CodeProblem,
  type CodeStart,
  postCode,
  readProgress,
  type SentCode,
} from "./client.ts";
import { CodeEntry } from "./CodeEntry.tsx";
import { NumberEntry } from "./NumberEntry.tsx";

/** The page after a code, and the one where a holder signs in again first. */
const NEXT = "/my-record";
const AGAIN = "/my-record?again=number";

/**
 * Asks for a number and sends a code to it, then asks for the code. Without scripts the browser posts
 * the same forms, and the server renders the next state.
 */
export function CodeForm({ start }: { start: CodeStart }) {
  const [state, setState] = useState(start);
  const [busy, setBusy] = useState(false);
  const [rounds, setRounds] = useState(0);
  const content = useRef<HTMLDivElement>(null);
  const { purpose, phase, problem } = state;

  // New content gets the focus, except on the first render.
  const first = useRef(true);
  useLayoutEffect(() => {
    if (first.current) first.current = false;
    else if (problem !== undefined || phase === "code") {
      content.current!.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
    } else content.current!.querySelector<HTMLElement>("h1, h2")?.focus();
  }, [phase, problem, rounds]);

  const waits = phase === "code" && purpose === "confirm_number";
  useUndelivered(waits, rounds, (text) => setState((now) => ({ ...now, problem: { text } })));

  async function send(channel: Channel, typed?: { country: string; number: string }) {
    if (busy) return;
    setBusy(true);
    const result = await postCode<SentCode>("send", { purpose, method: channel, mobile: typed });
    setBusy(false);
    if (!result.ok) return refuse(result.problem, { ...typed, channel });
    const { to, retry_after_seconds: resendAfter } = result.body;
    setRounds(rounds + 1);
    setState({ ...state, ...typed, phase: "code", channel, to, resendAfter, problem: undefined });
  }

  async function verify(code: string) {
    if (busy) return;
    setBusy(true);
    const result = await postCode("verify", { purpose, code });
    if (result.ok) return location.assign(start.next ?? NEXT);
    setBusy(false);
    refuse(result.problem);
  }

  function refuse(problem: CodeProblem, change: Partial<CodeStart> = {}) {
    if (problem.signIn) location.assign(AGAIN);
    else setState({ ...state, ...change, problem });
  }

  return (
    <div class="code-form" ref={content}>
      {phase === "number" ? <NumberEntry state={state} busy={busy} onSend={send} /> : (
        <CodeEntry
          state={state}
          rounds={rounds}
          busy={busy}
          onVerify={verify}
          onSend={send}
          onChange={() => setState({ ...state, phase: "number", problem: undefined })}
        />
      )}
    </div>
  );
}

const PROGRESS_INTERVAL_MS = 4_000;
/** Providers report most failures within a minute. */
const PROGRESS_READS = 20;

/** Asks the server whether a message was delivered, until it was or is known to have failed. */
function useUndelivered(active: boolean, round: number, onFailure: (problem: string) => void) {
  useEffect(() => {
    if (!active) return;
    const controller = new AbortController();
    let left = PROGRESS_READS;
    const read = async () => {
      if (document.hidden) return;
      if (--left === 0) clearInterval(timer);
      const progress = await readProgress(controller.signal);
      if (controller.signal.aborted || progress === null || progress.state === "sending") return;
      clearInterval(timer);
      if (progress.problem !== null) onFailure(progress.problem);
    };
    const timer = setInterval(() => void read().catch(reportError), PROGRESS_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [active, round]);
}
