/** The page `/my-record/share`, where a holder creates and ends links to a document. */
import {
  currentVersion,
  documentPath,
  type DocumentRow,
  formatDocumentId,
  MAX_SHARE_LABEL,
  type Share,
  SHARE_DAYS,
  SHARE_OPENINGS,
  type ShareState,
} from "../../lib/features/documents/mod.ts";
import type { Problem as FormProblem } from "../../lib/platform/http/errors.ts";
import { formatCount, formatDateTime, plural } from "../../lib/base/time.ts";
import { ActionPage, Problem, SignInFirst } from "../ActionPage.tsx";
import { Field } from "../Field.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";

export interface SharePageProps {
  document: DocumentRow;
  /** The links to this document, newest first. */
  shares: readonly Share[];
  /** True if the holder signed in recently. */
  recent: boolean;
  /** The random number of the form. */
  form: string;
  /** The link that was just ended. */
  ended: Share | undefined;
  refused: { problem: FormProblem; values: Record<string, string> } | undefined;
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "Who can open it",
    text: "Anyone who has the link, in any browser. Whoever gets it can pass it on.",
  },
  {
    title: "What they see",
    text:
      "The version in force of this one document, for an hour after each opening. Nothing else " +
      "of your record.",
  },
  {
    title: "What you see",
    text: (
      <p>
        Each opening with its time, network and browser, below and in your{" "}
        <a href="/my-record/log">access log</a>.
      </p>
    ),
  },
  {
    title: "If it was not you",
    text: "We mail you about every new link. Within 7 days, that mail can end it.",
  },
];

/** The links with which a holder shares a document, and the form that creates one. */
export function SharePage(
  { document, shares, recent, form, ended, refused }: SharePageProps,
) {
  const open = shares.filter(({ state }) => state === "open");
  const others = shares.filter(({ state }) => state !== "open");
  return (
    <ActionPage title="Share a document" styles="share" beside={BESIDE}>
      <p class="lead anywhere">
        <a href={documentPath(document.id)}>{document.title}</a>{" "}
        <code class="nowrap">{formatDocumentId(document.id)}</code>
      </p>
      {ended !== undefined && (
        <p class="note" role="status">
          {`The link ${nameOf(ended)} no longer works, and nobody can read the document with it.`}
        </p>
      )}
      <Problem
        text={refused?.problem.issues ? "Please check the form." : refused?.problem.message}
      />
      {currentVersion(document) === null
        ? <p>The document was withdrawn, so it cannot be shared.</p>
        : recent
        ? <ShareForm {...{ document, form, refused }} />
        : <SignInFirst page={`share.${document.id}`} />}
      <section aria-labelledby="open-links">
        <h2 id="open-links">Open links</h2>
        {open.length === 0
          ? <p class="muted">None. Nobody can open the document with a link.</p>
          : <ShareList shares={open} />}
      </section>
      {others.length > 0 && (
        <section aria-labelledby="ended-links">
          <h2 id="ended-links">Ended links</h2>
          <ShareList shares={others} />
          <p class="muted">They are listed for 30 days.</p>
        </section>
      )}
    </ActionPage>
  );
}

const opens = (openings: number) =>
  openings === 1
    ? "Once"
    : openings === SHARE_OPENINGS.at(-1)
    ? `Any number of times, up to ${formatCount(openings)}`
    : `Up to ${openings} times`;

function ShareForm(
  { document, form, refused }: Pick<SharePageProps, "document" | "form" | "refused">,
) {
  const values = refused?.values ?? { days: "7", openings: "5" };
  const { issues = {} } = refused?.problem ?? {};
  return (
    <form
      class="record-form"
      method="post"
      action={`/my-record/share?document=${document.id}`}
    >
      <input type="hidden" name="act" value="create" />
      <input type="hidden" name="form" value={form} />
      <Field name="days" label="The link works for" problem={issues.days}>
        {(control) => (
          <select {...control}>
            {SHARE_DAYS.map((days) => (
              <option key={days} value={days} selected={String(days) === values.days}>
                {plural(days, "day")}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="openings" label="It opens the document" problem={issues.openings}>
        {(control) => (
          <select {...control}>
            {SHARE_OPENINGS.map((openings) => (
              <option
                key={openings}
                value={openings}
                selected={String(openings) === values.openings}
              >
                {opens(openings)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="label"
        label="Your note (optional)"
        hint="For whom it is. Only you see it."
        problem={issues.label}
      >
        {(control) => (
          <input
            {...control}
            value={values.label}
            maxlength={MAX_SHARE_LABEL}
            autocomplete="off"
          />
        )}
      </Field>
      <p class="actions">
        <button type="submit" class="button primary">Create a link</button>
      </p>
    </form>
  );
}

const PILLS: Record<ShareState, { text: string; style: string }> = {
  open: { text: "Open", style: "good" },
  used: { text: "Used up", style: "" },
  expired: { text: "Expired", style: "" },
  ended: { text: "Ended", style: "" },
  withdrawn: { text: "Document withdrawn", style: "warn" },
  document_expired: { text: "Document expired", style: "warn" },
};

const nameOf = ({ label, name }: Share) => label === null ? name : `“${label}”`;

const ShareList = ({ shares }: { shares: readonly Share[] }) => (
  <div class="share-list">
    {shares.map((share) => <ShareItem key={share.hash} share={share} />)}
  </div>
);

function ShareItem({ share }: { share: Share }) {
  const { hash, document, name, label, state, openings, limit, opened } = share;
  const { text, style } = PILLS[state];
  // A browser that used the last opening can still read the document.
  const end = state === "used" ? "End the reading" : "End this link";
  return (
    <article class="share lined" aria-labelledby={`share-${hash}`}>
      <h3 class="wrap gap-2-4 middle anywhere" id={`share-${hash}`}>
        {label ?? `Link ${name}`} <span class={`pill ${style}`}>{text}</span>
      </h3>
      <dl class="facts">
        <dt>Created</dt>
        <dd>
          <Time at={share.created_at} />
          {label !== null && (
            <>
              , link <code class="nowrap">{name}</code>
            </>
          )}
        </dd>
        <dt>{share.ended_at === null ? "Valid until" : "Ended"}</dt>
        <dd>
          <Time at={share.ended_at ?? share.ends_at} />
        </dd>
        <dt>Opened</dt>
        <dd>
          {formatCount(openings)} of {plural(limit, "time")}
        </dd>
      </dl>
      {opened.length > 0 && (
        <details open={state === "open"}>
          <summary>
            {opened.length === openings ? "Openings" : `The last ${opened.length} openings`}
          </summary>
          <ul class="share-openings text-medium">
            {opened.map(({ at, network, browser }, i) => (
              <li key={i}>
                {formatDateTime(at)}, {browser}, network {network}
              </li>
            ))}
          </ul>
        </details>
      )}
      {share.works && (
        <form method="post" action={`/my-record/share?document=${document}`}>
          <input type="hidden" name="act" value="end" />
          <input type="hidden" name="share" value={hash} />
          <button
            type="submit"
            class="button small danger"
            aria-label={`${end}: ${nameOf(share)}`}
          >
            {end}
          </button>
        </form>
      )}
    </article>
  );
}
