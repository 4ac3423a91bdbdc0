/** The rows of the sample chain: its events, and the signed head at its end. */
import {
  changeByte,
  differenceOf,
  type EditedEvent,
} from "../../lib/features/marketing/edit_sample.ts";
import { SampleBytes } from "./SampleBytes.tsx";

export type EventState = "good" | "bad" | "unknown";

const STATES: Record<EventState, [mark: string, label: string]> = {
  good: ["✓", "verified"],
  bad: ["✗", "fails here"],
  unknown: ["·", "not verified"],
};

export interface SampleEventProps {
  /** The plain name of its kind. */
  name: string;
  seq: number;
  event: EditedEvent;
  original: EditedEvent;
  /** The hash of the text; null if it is not known. */
  computed: string | null;
  state: EventState;
  editable: boolean;
  onText: (text: string) => void;
}

/** One event of the sample: its bytes, which can be changed, and the hash that is recorded for them. */
export function SampleEvent(
  { name, seq, event, original, computed, state, editable, onText }: SampleEventProps,
) {
  const { text, prev, hash } = event;
  const difference = differenceOf(original.text, text);
  const differs = computed !== null && computed !== hash;
  return (
    <li class={`sample-event relative shrinks ${state}`}>
      <Mark name={name} seq={seq} state={state} />
      <SampleBytes
        label={`Bytes of event ${seq}`}
        text={text}
        changed={difference && [difference.at - 1, difference.at - 1 + difference.to.length]}
        editable={editable}
        onText={onText}
        onByte={(index) => onText(changeByte(text, index))}
      />
      <div class="sample-note">
        {difference && (
          <p class="sample-change">
            Changed at byte {difference.at}: <code>{shown(difference.from)}</code> →{" "}
            <code>{shown(difference.to)}</code>
          </p>
        )}
      </div>
      <dl class="sample-hashes stack flush muted text-small">
        <dt>after</dt>
        <dd>
          <Hash hash={prev} />
        </dd>
        <dt>hash</dt>
        <dd class={hash === original.hash ? undefined : "differs"}>
          <Hash hash={hash} />
        </dd>
        {differs && (
          <>
            <dt class="differs">computed</dt>
            <dd class="differs">
              <Hash hash={computed} />
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

/** The end of the sample: the hash that the head signs. */
export function SampleHead(
  { tip, size, state }: { tip: string; size: number; state: EventState },
) {
  return (
    <li class={`sample-event sample-head relative shrinks ${state}`}>
      <Mark name="Signed head" state={state} />
      <p>
        The publisher's signature covers the number of events and the last hash.
      </p>
      <dl class="sample-hashes stack flush muted text-small">
        <dt>events</dt>
        <dd>
          <code>{size}</code>
        </dd>
        <dt>last hash</dt>
        <dd>
          <Hash hash={tip} />
        </dd>
      </dl>
    </li>
  );
}

function Mark({ name, seq, state }: { name: string; seq?: number; state: EventState }) {
  const [mark, label] = STATES[state];
  return (
    <p class="sample-mark flex wraps baseline below-2">
      <span class="mark" aria-hidden="true">{mark}</span>
      <strong>{name}</strong>{" "}
      <span class="note full-width">
        {seq !== undefined && `event ${seq}, `}
        <span class="sample-state">{label}</span>
      </span>
    </p>
  );
}

/** The first and last digits of a hash, which fit beside its name. */
const Hash = ({ hash }: { hash: string }) => (
  <code title={hash}>{hash.slice(0, 8)}…{hash.slice(-8)}</code>
);

const shown = (text: string) => text === "" ? "nothing" : text === " " ? "a space" : text;
