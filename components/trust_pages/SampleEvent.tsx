import { differenceOf, type EditedEvent } from "./tamper.ts";

export type EventState = "good" | "bad" | "unknown";

const STATES: Record<EventState, [mark: string, label: string]> = {
  good: ["✓", "verified"],
  bad: ["✗", "fails here"],
  unknown: ["·", "not verified"],
};

export interface SampleEventProps {
  seq: number;
  event: EditedEvent;
  original: EditedEvent;
  /** What the text hashes to; null if that is not known. */
  computed: string | null;
  state: EventState;
  editable: boolean;
  onText: (text: string) => void;
}

/** One event of the sample: its bytes, which can be edited, and the hash that is recorded for them. */
export function SampleEvent(
  { seq, event, original, computed, state, editable, onText }: SampleEventProps,
) {
  const difference = differenceOf(original.text, event.text);
  return (
    <li class={`sample-event ${state}`}>
      <Mark name={`Event ${seq}`} state={state} />
      {editable
        ? (
          <textarea
            class="sample-text"
            aria-label={`Bytes of event ${seq}`}
            value={event.text}
            rows={2}
            maxLength={300}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="none"
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        )
        : <code class="sample-text">{event.text}</code>}
      {difference && (
        <p class="sample-change">
          Changed at byte {difference.at}: <code>{shown(difference.from)}</code> →{" "}
          <code>{shown(difference.to)}</code>
        </p>
      )}
      <dl class="sample-hashes">
        <dt>{event.hash === original.hash ? "Recorded hash" : "Recorded hash, recomputed"}</dt>
        <dd>
          <code>{event.hash}</code>
        </dd>
        {computed !== null && computed !== event.hash && (
          <div class="differs">
            <dt>Hash of these bytes</dt>
            <dd>
              <code>{computed}</code>
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}

/** The end of the sample: the hash that the head signs. */
export function HeadRow({ tip, state }: { tip: string; state: EventState }) {
  return (
    <li class={`sample-event sample-head ${state}`}>
      <Mark name="Signed head" state={state} />
      <dl class="sample-hashes">
        <dt>Signed hash of the last event</dt>
        <dd>
          <code>{tip}</code>
        </dd>
      </dl>
    </li>
  );
}

function Mark({ name, state }: { name: string; state: EventState }) {
  const [mark, label] = STATES[state];
  return (
    <p class="sample-mark">
      <span class="mark" aria-hidden="true">{mark}</span>
      <strong>{name}</strong> <span class="sample-state">{label}</span>
    </p>
  );
}

const shown = (text: string) => text === "" ? "nothing" : text === " " ? "a space" : text;
