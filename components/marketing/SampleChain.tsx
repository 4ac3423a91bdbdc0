/** The demonstration on the foundation's home page of how a changed byte makes verification fail. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChainVerification, SavedChain } from "../../packages/proof/mod.ts";
import {
  changeByte,
  type EditedEvent,
  editedEvents,
  minuteOf,
} from "../../lib/features/marketing/edit_sample.ts";
import { type EventState, SampleEvent, SampleHead } from "./SampleEvent.tsx";
import { type SampleProblem, SampleVerdict } from "./SampleVerdict.tsx";

/** Loads the verifier, which is larger than the rest of the page's scripts. */
const loadVerifier = async () => {
  const [verify, prepare] = await Promise.all([
    import("../../lib/features/marketing/verify_sample.ts"),
    import("../prepare_verifier.ts"),
  ]);
  return { ...verify, ...prepare };
};

/** The event that the button changes: not the last one, because later events depend on it. */
const CHANGED = 1;

/** The result of a verification, with the hashes of the texts. */
interface Verified {
  result: ChainVerification;
  computed: (string | null)[];
}

/**
 * A sample chain that visitors can change, one byte at a time. After each change, their browser verifies
 * it with the code that verifies real records. Without scripts it is a figure of the unchanged chain.
 */
export function SampleChain({ chain, names }: {
  chain: SavedChain;
  /** The plain names of the events, which the page knows without a script. */
  names: readonly string[];
}) {
  const original = editedEvents(chain);
  const [events, setEvents] = useState(original);
  const [verified, setVerified] = useState<Verified | null>(null);
  const [problem, setProblem] = useState<SampleProblem | null>(null);
  const [editable, setEditable] = useState(false);
  const latest = useRef(0);
  useEffect(() => setEditable(true), []);

  const show = async (next: EditedEvent[]) => {
    const run = ++latest.current;
    setEvents(next);
    try {
      const { prepareVerifier, verifyEdited, computedHashes } = await loadVerifier();
      if (!await prepareVerifier()) return setProblem("insecure");
      const [result, computed] = await Promise.all([
        verifyEdited(chain, next),
        computedHashes(next),
      ]);
      if (run !== latest.current) return;
      setVerified({ result, computed });
      setProblem(null);
    } catch {
      setProblem("unreachable");
    }
  };

  const setText = (seq: number, text: string) =>
    show(events.map((event, i) => i === seq ? { ...event, text } : event));
  const changeOne = () => {
    const { text } = events[CHANGED];
    return setText(CHANGED, changeByte(text, Math.max(0, minuteOf(text))));
  };
  const hide = async () => {
    try {
      const { recompute } = await loadVerifier();
      const next = await recompute(chain, events);
      if (next !== null) await show(next);
    } catch {
      setProblem("unreachable");
    }
  };
  const result = verified?.result ?? null;
  const changed = events.some(({ text }, seq) => text !== original[seq].text);
  const recomputed = events.some(({ hash }, seq) => hash !== original[seq].hash);
  const canHide = changed && !(verified?.computed.includes(null) ?? true) && result?.ok === false &&
    result.code !== "bad_tip";
  const prepare = () => void loadVerifier().catch(() => {});

  return (
    <div class="sample" onPointerEnter={prepare} onFocusIn={prepare}>
      <div class="sample-side stack gap-5-6">
        <SampleVerdict {...{ result, changed, recomputed, problem }} size={original.length} />
        <div class="sample-actions gap-3 screen-only">
          {editable && (
            <>
              <Action primary onClick={changeOne}>Change one byte</Action>
              <Action enabled={canHide} onClick={hide}>Recompute the hashes</Action>
              <Action enabled={changed || recomputed} onClick={() => show(original)}>
                Restore
              </Action>
            </>
          )}
        </div>
      </div>
      <ol class="sample-events stack">
        {events.map((event, seq) => (
          <SampleEvent
            key={seq}
            name={names[seq]}
            seq={seq}
            event={event}
            original={original[seq]}
            computed={verified?.computed[seq] ?? null}
            state={problem ? "unknown" : eventState(seq, result)}
            editable={editable}
            onText={(text) => void setText(seq, text).catch(reportError)}
          />
        ))}
        <SampleHead
          tip={original.at(-1)!.hash}
          size={original.length}
          state={problem ? "unknown" : headState(result)}
        />
      </ol>
    </div>
  );
}

/** A button that keeps the focus while it has nothing to do. */
function Action({ children, enabled = true, primary, onClick }: {
  children: string;
  enabled?: boolean;
  primary?: boolean;
  onClick: () => Promise<void>;
}) {
  return (
    <button
      type="button"
      class={`button ${primary ? "primary" : ""}`}
      aria-disabled={!enabled}
      onClick={() => enabled && void onClick().catch(reportError)}
    >
      {children}
    </button>
  );
}

// Until the browser has verified it, the chain is the unchanged one, which verifies.

function eventState(seq: number, result: ChainVerification | null): EventState {
  // If the head signs a different tip, the fault is shown at the head.
  if (result === null || result.ok || result.seq === undefined || result.code === "bad_tip") {
    return "good";
  }
  return seq < result.seq ? "good" : seq === result.seq ? "bad" : "unknown";
}

function headState(result: ChainVerification | null): EventState {
  if (result === null || result.ok) return "good";
  return result.code === "bad_tip" || result.seq === undefined ? "bad" : "unknown";
}
