import type { ComponentChildren } from "preact";

interface Step {
  title: string;
  text: string;
  /** The event in the record's chain, if the step adds one. */
  event?: string;
  /** The level that the record reaches. */
  level?: number;
}

const STEPS: readonly Step[] = [
  {
    title: "Send the form",
    text: "A name, an address and what it is about. The browser shows the record's hash at once.",
    event: "hash_generated",
    level: 1,
  },
  {
    title: "Confirm the address",
    text: "The link in the mail also signs the holder in for the first time.",
    event: "email_confirmed",
  },
  {
    title: "Say what it is for",
    text: "The holder declares the purpose of the record, in their own words.",
    level: 2,
  },
  {
    title: "Add a passkey or a phone",
    text:
      "A second factor protects the record. The holder can now get a key, as a card with a code.",
    event: "k2_delivered",
    level: 3,
  },
  {
    title: "Have the identity checked",
    text: "An administrator checks who the holder is, and records how.",
    level: 4,
  },
];

/** The steps that create a record, with the events in its chain and the levels that it reaches. */
export function RecordSteps(
  { contact, trust }: { contact: string | null; trust: string | null },
) {
  return (
    <section class="stretch" id="record" aria-labelledby="record-title">
      <header class="stretch-head">
        <h2 id="record-title">How a record is created</h2>
        <p class="lead flush">
          The holder may stop after any of these steps.
        </p>
      </header>
      <ol class="record-steps">
        {STEPS.map(({ title, text, event, level }) => (
          <li class="stack gap-4 top lined" key={title}>
            <div>
              <h3 class="below-1">{title}</h3>
              <p class="flush muted">{text}</p>
            </div>
            <dl class="flex wraps flush text-small">
              {level !== undefined && <Fact name="Level">{level}</Fact>}
              {event !== undefined && (
                <Fact name="Event">
                  <code class="accent">{event}</code>
                </Fact>
              )}
            </dl>
          </li>
        ))}
      </ol>
      <p class="more flex wraps gap-2-5">
        {contact !== null && <a href={contact}>Start with step one</a>}
        {trust !== null && <a href={`${trust}/levels`}>What each level means</a>}
      </p>
    </section>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="flex gap-2">
    <dt class="muted">{name}</dt>
    <dd class="bold">{children}</dd>
  </div>
);
