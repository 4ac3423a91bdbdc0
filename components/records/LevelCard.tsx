/** The part of “My record” that shows the level and how to reach the next one. */
import {
  conditionsOf,
  type Level,
  levelOf,
  type NextStep,
  nextStep,
  type RecordEntry,
} from "../../lib/features/records/mod.ts";
import { AddPasskey } from "../passkeys/AddPasskey.tsx";
import { Time } from "../Time.tsx";

/** Short names of the levels. A confirmed address alone is not level 3. */
const LEVELS: Record<Level, string> = {
  1: "Registered",
  2: "Declared",
  3: "Fully confirmed",
  4: "Identity checked",
};

interface Step {
  title: string;
  text: string;
  action?: { text: string; href: string };
}

const STEPS: Record<NextStep, Step> = {
  declare: {
    title: "Say what your record is for",
    text: "Your declaration, in your own words, brings the record to level\u00a02.",
    action: { text: "Make a declaration", href: "/my-record/declaration" },
  },
  confirm_email: {
    title: "Confirm your email address",
    text: "Open the link in the email that we sent when the record was registered.",
  },
  second_factor: {
    title: "Add a passkey",
    text: "A passkey, or a confirmed mobile number, brings the record to level\u00a03.",
  },
  identity_check: {
    title: "Ask for an identity check",
    text: "If an administrator checks your identity, the record reaches level\u00a04.",
  },
};

const GET_KEY: Step = {
  title: "Get your key",
  text: "Your key is a card with a QR code. Anyone who scans it can verify your record without " +
    "seeing your details.",
  action: { text: "Get your key", href: "/my-record/key" },
};

/** The record's level, as the publisher states it, and the one step that comes next. */
export function LevelCard(
  { record, publisher, email, inForce, hasKey, hasNumber }: {
    record: RecordEntry;
    publisher: string;
    /** The publisher's address. */
    email: string;
    /** True if no other record replaces it. */
    inForce: boolean;
    /** True if the holder has a key to show. */
    hasKey: boolean;
    /** True if there is a number that can be confirmed. */
    hasNumber: boolean;
  },
) {
  const { reached, identity_revoked } = record.row;
  const conditions = conditionsOf(record);
  const level = levelOf(conditions);
  const next = nextStep(conditions);
  const step = !inForce || next === null
    ? null
    : next === "identity_check" && !hasKey
    ? GET_KEY
    : STEPS[next];
  return (
    <section class="box record-card flex column" id="level" aria-labelledby="level-title">
      <h2 class="text-large" id="level-title">
        Level {level} <span class="muted">of 4</span>
      </h2>
      <ol class="ladder stack below-5 text-small">
        {([1, 2, 3, 4] as const).map((each) => (
          <li key={each} class={`flex column muted ${each <= level ? "reached" : ""}`.trim()}>
            <span class="name">
              {LEVELS[each]}
              {each > level && <span class="visually-hidden">, not reached</span>}
            </span>
            {each <= level && reached[each] && (
              <span class="muted">
                <Time at={reached[each]} day />
              </span>
            )}
          </li>
        ))}
      </ol>
      {step && (
        <div class="next-step below-3">
          <h3 class="below-1">
            <span class="visually-hidden">Next step:</span> {step.title}
          </h3>
          <p>{step.text}</p>
          {step === STEPS.second_factor && (
            <div class="actions">
              <AddPasskey first primary />
              {hasNumber && <a href="#number">Confirm your number instead</a>}
            </div>
          )}
          {step === STEPS.identity_check && (
            <p class="actions">
              <a class="button" href={`mailto:${email}?subject=Identity%20check`}>Write to us</a>
            </p>
          )}
          {step.action && (
            <p class="actions">
              <a class="button primary" href={step.action.href}>{step.action.text}</a>
            </p>
          )}
        </div>
      )}
      {identity_revoked !== null && (
        <p class="muted">
          Level 4 was revoked on <Time at={identity_revoked.at} day />.
        </p>
      )}
      <p class="level-note muted pad-top-3 ruled text-small">
        The level is a statement by {publisher}. It is not part of the chain.{" "}
        <a href="/levels">What the levels mean</a>
      </p>
    </section>
  );
}
