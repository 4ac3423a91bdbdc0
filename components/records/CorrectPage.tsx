/** Contact data in “My record”: the section that shows it, and the page that corrects it. */
import {
  CONTACT_FIELDS,
  DIAL_CODES,
  type Enquiry,
  type FormValues,
} from "../../lib/features/contact/fields.ts";
import { maskEmail, maskMobile } from "../../lib/features/contact/mod.ts";
import type { Problem as RequestProblem } from "../../lib/platform/http/errors.ts";
import type { RecordEntry, Waiting } from "../../lib/features/records/mod.ts";
import { formatDay } from "../../lib/base/time.ts";
import { Fields } from "../contact/Fields.tsx";
import { ActionPage, Problem, SignInFirst } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { FoldedSection } from "../Section.tsx";

/** A correction that is not in force yet. */
export interface WaitingCorrection {
  to: RecordEntry;
  waitsFor: Waiting | null;
}

export interface CorrectPageProps {
  /** The values that were typed before the form was refused; by default the registered ones. */
  values?: FormValues;
  record: RecordEntry;
  /** True if the holder signed in recently. Otherwise the page asks for that first. */
  recent: boolean;
  waiting: WaitingCorrection | null;
  problem?: RequestProblem;
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "What happens next",
    text:
      "If you change your email address, we email a link to the new one. If you change only your " +
      "number, you confirm it with a code. Until you have done so, this record stays in force.",
  },
  {
    title: "What moves to the new record",
    text: "Your passkeys, key, documents, declaration and access log. Your key card leads to the " +
      "new record too.",
  },
  {
    title: "Your level",
    text: "It is computed again. Level 4 is not carried over, because your identity was checked " +
      "for the earlier data.",
  },
  {
    title: "What stays",
    text: "The earlier record is marked as replaced. We keep it until you delete your record, so " +
      "that you can still prove what it said.",
  },
];

/** The form that corrects a record's contact data. */
export function CorrectPage({ record, values, recent, waiting, problem }: CorrectPageProps) {
  const { issues } = problem ?? {};
  return (
    <ActionPage title="Correct my contact data" beside={BESIDE}>
      <Problem text={issues ? "Please check the form." : problem?.message} />
      {waiting !== null && <WaitingNote {...waiting} recent={recent} />}
      <p class="lead">
        A record never changes. A correction is a new record, with its own hash and chain, that
        replaces this one. Connected apps are disconnected, and level 4 is not carried over.
      </p>
      {recent
        ? (
          <form class="record-form enquiry" method="post" action="/my-record/correct" noValidate>
            <Fields
              values={values ?? valuesOf(record.contact.value.record)}
              issues={issues ?? {}}
            />
            <button type="submit" class="button primary">Register the correction</button>
          </form>
        )
        : <SignInFirst page="correct" />}
    </ActionPage>
  );
}

function WaitingNote({ to, waitsFor, recent }: WaitingCorrection & { recent: boolean }) {
  const { email, mobile } = to.contact.value.record;
  return (
    <div class="record-note below-5 pad-4-5 framed round raised">
      <h2>A correction is waiting</h2>
      <p>
        {waitsFor === "mobile"
          ? `It takes effect once you confirm ${maskMobile(mobile!)} with a code.`
          : `It takes effect once you open the link that we emailed to ${maskEmail(email)}.`}{" "}
        If you register another correction, it replaces this one.
      </p>
      {recent && (
        <div class="actions">
          {waitsFor === "mobile" && (
            <form method="post" action="/my-record/correct">
              <input type="hidden" name="act" value="open" />
              <button type="submit" class="button small primary">Confirm the number</button>
            </form>
          )}
          <form method="post" action="/my-record/correct">
            <input type="hidden" name="act" value="withdraw" />
            <button type="submit" class="button small">Withdraw the correction</button>
          </form>
        </div>
      )}
    </div>
  );
}

/** Returns the values of the form's controls for data that was registered. */
function valuesOf(enquiry: Enquiry): FormValues {
  const values: FormValues = { ...enquiry };
  const { mobile } = enquiry;
  const dial = DIAL_CODES.find(({ code }) => mobile?.startsWith(code));
  if (mobile !== undefined && dial !== undefined) {
    values.mobile_country = dial.country;
    values.mobile_number = mobile.slice(dial.code.length);
  }
  return values;
}

/** Address and number are masked, because the page does not require a recent sign-in. */
function shown(name: keyof Enquiry, value: string | undefined): string {
  if (value === undefined) return "Not given";
  if (name === "email") return maskEmail(value);
  return name === "mobile" ? maskMobile(value) : value;
}

/** The registered contact data on the record page. */
export function ContactSection(
  { enquiry, organisation, registeredAt, waiting, correctable }: {
    enquiry: Enquiry;
    /** The name of the organisation that it was registered with. */
    organisation: string;
    /** ISO 8601 in UTC. */
    registeredAt: string;
    /** The confirmation that a correction waits for; null if there is none. */
    waiting: Waiting | null;
    /** A record that was replaced cannot be corrected. */
    correctable: boolean;
  },
) {
  return (
    <FoldedSection
      id="contact"
      title="Contact data"
      state={waiting === null ? enquiry.name : "A correction is waiting for you"}
      open={waiting !== null}
      lead={`What you registered with ${organisation} on ${formatDay(registeredAt)}.`}
    >
      <dl class="facts even">
        {CONTACT_FIELDS.map(({ name, label }) => (
          <div class="fact" key={name}>
            <dt>{label}</dt>
            <dd>{shown(name, enquiry[name])}</dd>
          </div>
        ))}
      </dl>
      {waiting !== null && (
        <p>
          A correction takes effect once you confirm the new{" "}
          {waiting === "email" ? "email address" : "number"}.{" "}
          <a href="/my-record/correct">See the correction</a>
        </p>
      )}
      {correctable && (
        <p>
          <a class="button small" href="/my-record/correct" aria-label="Correct your contact data">
            Correct
          </a>
        </p>
      )}
    </FoldedSection>
  );
}
