/** The intent declaration in “My record”: its section, and the page that changes it. */
import type { Declaration } from "../../lib/features/contact/mod.ts";
import type { Problem as RequestProblem } from "../../lib/platform/http/errors.ts";
import { DECLARATION_LENGTH } from "../../lib/features/records/mod.ts";
import { formatCount } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { ActionPage, Problem } from "../ActionPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

const { min, max } = DECLARATION_LENGTH;

export interface DeclarationPageProps {
  /** Every version, newest last. */
  declarations: readonly Declaration[];
  /** The text that was typed before the form was refused. */
  typed?: string;
  problem?: RequestProblem;
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "Who can read it",
    text: "Only you and administrators. It is stored with your record and never becomes part of " +
      "the chain.",
  },
  {
    title: "How to change it",
    text: "You can replace it later. We keep every version, with its time.",
  },
];

/** The form of the intent declaration, with its earlier versions. */
export function DeclarationPage(
  { declarations, typed, problem }: DeclarationPageProps,
) {
  const { issues = {} } = problem ?? {};
  const current = declarations.at(-1);
  return (
    <ActionPage
      title={current ? "Replace your declaration" : "Declare what your record is for"}
      beside={BESIDE}
    >
      <Problem text={problem?.issues ? undefined : problem?.message} />
      <p class="lead">
        Say in your own words what your record is for.
        {current === undefined && " This brings it from level 1 to level 2."}
      </p>
      <form class="record-form" method="post" action="/my-record/declaration">
        <Field
          name="text"
          label="Your declaration"
          hint={`${min} to ${formatCount(max)} characters`}
          required
          problem={issues.text}
        >
          {(control) => (
            <textarea
              {...control}
              {...{ defaultValue: typed ?? current?.text ?? "" }}
              rows={8}
              autocomplete="off"
            />
          )}
        </Field>
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              name="deliberate"
              value="1"
              required
              aria-describedby={issues.deliberate && "deliberate-problem"}
              aria-invalid={issues.deliberate ? "true" : undefined}
            />
            <span>I make this declaration deliberately, and it says what I mean.</span>
          </label>
          {issues.deliberate && (
            <span class="problem" id="deliberate-problem">{issues.deliberate}</span>
          )}
        </div>
        <button type="submit" class="button primary">
          {current ? "Replace my declaration" : "Make this declaration"}
        </button>
      </form>
      {current && <Versions declarations={declarations} />}
    </ActionPage>
  );
}

function Versions({ declarations }: { declarations: readonly Declaration[] }) {
  return (
    <>
      <h2>
        {declarations.length === 1 ? "Current version" : `${declarations.length} versions`}
      </h2>
      <ol class="versions below-4" reversed>
        {declarations.toReversed().map(({ at, text }) => (
          <li key={at}>
            <p class="muted">
              <Time at={at} />
            </p>
            <blockquote class="quoted anywhere">{text}</blockquote>
          </li>
        ))}
      </ol>
    </>
  );
}

export function DeclarationSection({ declarations }: { declarations: readonly Declaration[] }) {
  const current = declarations.at(-1);
  return (
    <FoldedSection
      id="declaration"
      title="Declaration"
      state={current
        ? (
          <>
            Made on <Time at={current.at} day />
          </>
        )
        : "Not made yet"}
      lead="What the record is for, in your own words. Only you and administrators can read it."
    >
      {current
        ? (
          <>
            <blockquote class="quoted anywhere">{current.text}</blockquote>
            <p class="muted">
              Declared on <Time at={current.at} />
              {declarations.length > 1 && `, version ${declarations.length}`}
            </p>
          </>
        )
        : <p>You have not made a declaration yet. It brings the record to level 2.</p>}
      <p>
        <a class="button small" href="/my-record/declaration">
          {current ? "Replace it" : "Make a declaration"}
        </a>
      </p>
    </FoldedSection>
  );
}
