/** The pages of the links in security notices, which undo a change or complete a deletion. */
import { NOTICE_TEXTS, type OpenedUndo, type UndoResult } from "../../lib/features/records/mod.ts";
import { Field } from "../Field.tsx";
import type { State } from "../../lib/app/state.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { RunBy } from "../RunBy.tsx";
import { Time } from "../Time.tsx";

const PART = "My record";

const BEFORE: readonly BesidePart[] = [
  { title: "If it was you", text: "Close this page. Nothing changes." },
  {
    title: "What the button also does",
    text:
      "It signs every browser out of your record, disconnects all apps and devices, and revokes " +
      "all access to your documents that was approved, and all links to them that were created, " +
      "within the last 7 days.",
  },
  { title: "What stays", text: "Your record, its chain and its documents." },
];

const AFTER: readonly BesidePart[] = [
  {
    title: "Who else had access",
    text:
      "Every browser is signed out, all apps and devices are disconnected, and recent access and " +
      "links to your documents are revoked.",
  },
  {
    title: "Where to look",
    text: "The access log of your record lists every sign-in with its time and network.",
  },
];

const INVALID_BESIDE: readonly BesidePart[] = [
  {
    title: "Why links stop working",
    text: "A link works once and for a limited time, so that an old email gives nobody access.",
  },
  {
    title: "If something looks wrong",
    text: "Sign in and read the access log. From there you can also sign out everywhere.",
  },
];

/** The page behind the link in a security notice, before its button is pressed. */
export function UndoPage(
  { state, opened, token, problem }: {
    state: State;
    opened: OpenedUndo;
    token: string;
    /** Why a deletion could not be completed. */
    problem?: string;
  },
) {
  if (!opened.ok) return <InvalidUndo error={opened.error} />;
  if (opened.state === "used") return <InvalidUndo error="already_used" />;
  const { title, meaning, undo } = NOTICE_TEXTS[opened.kind];
  return (
    <MailedLinkPage state="open" title={title} part={PART} beside={BEFORE}>
      <p class="lead">{meaning}</p>
      <dl class="facts even">
        <dt>When</dt>
        <dd>
          <Time at={opened.at} />
        </dd>
        <dt>Record</dt>
        <dd>
          <code>{opened.hash.slice(0, 8)}…</code>
        </dd>
      </dl>
      <p>If this was not you, undo it.</p>
      <form method="post" action="/my-record/undo">
        <LinkFields token={token} />
        <button type="submit" class="button primary">{undo}</button>
      </form>
      {opened.kind === "deletion" && (
        <CompleteForm token={token} hash={opened.hash} problem={problem} />
      )}
      <RunBy state={state} />
    </MailedLinkPage>
  );
}

/** The form that completes a deletion before it is due. */
function CompleteForm(
  { token, hash, problem }: { token: string; hash: string; problem?: string },
) {
  return (
    <form class="record-form" method="post" action="/my-record/undo">
      <h2>Delete it sooner</h2>
      <p>
        To delete the record now, enter the last four digits of its hash{" "}
        <code class="hash">{hash}</code>. Nobody can restore it.
      </p>
      <LinkFields token={token} />
      <input type="hidden" name="act" value="delete" />
      <Field name="digits" label="Last four digits" required problem={problem}>
        {(control) => (
          <input
            {...control}
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={4}
          />
        )}
      </Field>
      <button type="submit" class="button danger">Delete it now</button>
    </form>
  );
}

/** The page after a deletion was completed with the mailed link. */
export function CompletedPage() {
  return (
    <MailedLinkPage state="used" title="Your record is deleted" part={PART}>
      <p class="lead">Everything that we stored about you with this record is deleted.</p>
      <p>Its chain remains. It contains no personal data.</p>
    </MailedLinkPage>
  );
}

/** The page after the button was pressed. */
export function UndonePage({ result }: { result: UndoResult }) {
  if (!result.ok) return <InvalidUndo error={result.error} />;
  const { undone, next } = NOTICE_TEXTS[result.kind];
  return (
    <MailedLinkPage
      state="used"
      title={result.undone ? "Undone" : "There was nothing left to undo"}
      part={PART}
      beside={AFTER}
    >
      <p class="lead">
        {result.undone ? undone : "It was already undone or no longer has any effect."}{" "}
        Every browser is signed out.
      </p>
      <h2>What to do next</h2>
      <p>{next}</p>
      <p>
        <a class="button primary" href="/my-record">Sign in</a>
      </p>
    </MailedLinkPage>
  );
}

const INVALID = {
  not_found: [
    "other",
    "It may be incomplete, or the record may have been deleted. Open the link from the email again.",
  ],
  expired: ["expired", "Sign in to your record to see and change it."],
  already_used: ["used", "Sign in to your record to see and change it."],
} as const;

function InvalidUndo({ error }: { error: keyof typeof INVALID }) {
  const [state, text] = INVALID[error];
  return (
    <MailedLinkPage state={state} part={PART} beside={INVALID_BESIDE}>
      <p class="lead">{text}</p>
      <p class="actions">
        <a class="button primary" href="/my-record">Open my record</a>
      </p>
    </MailedLinkPage>
  );
}
