/** The island of the page `/s`, which opens a document with the code of a link that its holder has shared. */
import { useEffect, useState } from "preact/hooks";
import { documentPath, formatDocumentId } from "../../lib/features/documents/ids.ts";
import type { LinkAnswer, OpenLink } from "../../lib/features/documents/access/open_share.ts";
import { findKey } from "../../lib/features/records/keys/key_code.ts";
import { formatCount, formatDateTime, formatDay } from "../../lib/base/time.ts";
import { KeyForm } from "../KeyForm.tsx";
import { Seal } from "../chain/Seal.tsx";
import { askPublisher, type LookUp, useFragmentLookUp } from "../useFragmentLookUp.ts";

export interface SharedLinkProps {
  /** The server's response to a posted form, or null. */
  found: LinkAnswer | null;
  /** The code that the form contained. */
  code: string;
  /** The address that the page must have. */
  origin: string;
}

/** The page or document that a code leads to. */
interface Answer {
  code: string;
  found: LinkAnswer;
}

async function askFor(code: string): Promise<LookUp<Answer>> {
  if (findKey(code) === null) {
    return { phase: "answered", answer: { code, found: { state: "malformed" } } };
  }
  const read = (json: unknown) => ({ code, found: json as LinkAnswer });
  return await askPublisher("/s", { code }, read, { code, found: { state: "unknown" } });
}

/**
 * Looks up the link in the page's address, and offers to open its document. Without JavaScript it is a
 * form for the code, and the server's answer to it.
 */
export function SharedLink({ found, code, origin }: SharedLinkProps) {
  const [lookUp, look] = useFragmentLookUp(found && { code, found }, askFor);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const answer = lookUp.phase === "answered" ? lookUp.answer : null;
  const state = answer?.found.state;
  return (
    <div class={ready || found !== null ? undefined : "key-waiting"}>
      {lookUp.phase === "none" && <Introduction />}
      {lookUp.phase === "asking" && (
        <section class="verdict open key-asking" aria-label="Link" role="status">
          <Seal kind="open" />
          <div class="verdict-text">
            <h2>Looking up the link…</h2>
          </div>
        </section>
      )}
      {lookUp.phase === "failed" && (
        <div class="state error" role="alert">
          <strong>The link could not be looked up</strong>
          <p>{lookUp.message}</p>
          <button type="button" class="button" onClick={() => look(location.hash.slice(1))}>
            Try again
          </button>
        </div>
      )}
      {answer !== null && <Found {...answer} origin={origin} />}
      {lookUp.phase !== "asking" && (state === undefined || !DONE.has(state)) && (
        <KeyForm
          name="code"
          label={lookUp.phase === "none" ? "Code or address" : "Another code"}
          action="/s"
          submit="Continue"
          again={lookUp.phase !== "none"}
          onKey={look}
        />
      )}
    </div>
  );
}

/** The states in which nobody needs to enter another code. */
const DONE: ReadonlySet<LinkAnswer["state"]> = new Set(["open", "here", "renewed"]);

const Introduction = () => (
  <>
    <p class="lead">
      The holder of a document has given you a link or a QR code, or we have emailed you a link.
      Scan the code, open the link, or type the code that is printed next to it.
    </p>
    <noscript>
      <p class="note">
        JavaScript is off, so this page cannot read the code in its address. Copy the whole address
        of this page into the field, or type the code: it is printed next to the QR code.
      </p>
    </noscript>
  </>
);

function Found({ code, found, origin }: Answer & { origin: string }) {
  if (found.state === "open") return <OpenForm {...{ code, found, origin }} />;
  if (found.state === "here") {
    return (
      <section class="verdict open" aria-label="Link" role="status">
        <Seal kind="open" />
        <div class="verdict-text">
          <h2>You have opened this document</h2>
          <p>You can read it in this browser until {formatDateTime(found.until)}.</p>
          <p class="actions flush">
            <a class="button primary" href={documentPath(found.document)}>Read the document</a>
          </p>
        </div>
      </section>
    );
  }
  const personal = "personal" in found ? found.personal : null;
  const [title, ...text] = (personal === null ? undefined : ENDED_FOR_PERSON[found.state]) ??
    ENDED[found.state];
  return (
    <section class="verdict open" aria-label="Link" role="status">
      <Seal
        kind={found.state === "unknown" || found.state === "malformed" ? "unknown" : "closed"}
      />
      <div class="verdict-text">
        <h2>{title}</h2>
        {text.map((paragraph) => <p key={paragraph}>{paragraph}</p>)}
        {personal !== null && found.state === "used" && (
          <form method="post" action="/s">
            <input type="hidden" name="code" value={code} />
            <p class="actions">
              <button type="submit" class="button primary" name="act" value="new_link">
                Email me a new link
              </button>
            </p>
          </form>
        )}
        {personal !== null && found.state !== "used" && (
          <p class="actions">
            <a class="button" href={documentPath(personal)}>Open the document's page</a>
          </p>
        )}
      </div>
    </section>
  );
}

const ASK = "If you still need the document, ask its holder for a new link.";

type EndedState = Exclude<LinkAnswer["state"], "open" | "here">;

const ENDED: Record<EndedState, string[]> = {
  used: [
    "This link was used up",
    "It has opened the document as often as its holder allowed. You may have opened it in " +
    "another browser, or more than an hour ago.",
    ASK,
  ],
  expired: ["This link has expired", "Its holder chose until when it opens the document.", ASK],
  ended: ["This link no longer works", "The holder of the document has ended it.", ASK],
  withdrawn: [
    "The document was withdrawn",
    "Its issuer withdrew it after the link was created. Do not rely on a copy that you may have.",
  ],
  document_expired: [
    "The document has expired",
    "It expired after the link was created. Do not rely on a copy that you may have.",
  ],
  unknown: [
    "This link is not known here",
    "The code may be incomplete or mistyped, or the link ended long ago. Compare it with the " +
    "link that you were given, character by character.",
  ],
  renewed: [
    "Check your email",
    "If you still have access, we have sent a new link to the address that the request came from. The " +
    "number of links per hour is limited.",
  ],
  malformed: [
    "This is not a complete code",
    "A code has 26 letters and digits. Open the link again, or check what you typed.",
  ],
};

/** The texts for a person whose request was approved, if they differ. */
const ENDED_FOR_PERSON: Partial<Record<EndedState, string[]>> = {
  used: [
    "Ask for a new link",
    "This link was already used, or a newer one has replaced it. Each link works in one browser only.",
    "To read the document in this browser, ask for a new link. We send it to the address that the " +
    "request came from. Once you use it, the other browser no longer has access.",
  ],
  expired: [
    "Your access has expired",
    "You can request access again on the document’s page.",
  ],
  ended: [
    "This link no longer works",
    "Your access was revoked. You can request access again on the document’s page.",
  ],
  withdrawn: [
    "The document was withdrawn",
    "Your request was approved, but the document was withdrawn since. Your access has ended with it. Do " +
    "not rely on a copy that you may have. The document’s page says when it was withdrawn.",
  ],
  document_expired: [
    "The document has expired",
    "Your request was approved, but the document has expired since. Your access has ended with it. Do " +
    "not rely on a copy that you may have. The document’s page says when it expired.",
  ],
};

/** The document as everybody may see it, and the button that opens it. */
function OpenForm({ code, found, origin }: { code: string; found: OpenLink; origin: string }) {
  const { document, title, issued_by, issuer_ended, at, ends_at, left, own, page, personal } =
    found;
  return (
    <section class="verdict open" aria-labelledby="shared-title">
      <Seal kind="open" />
      <div class="verdict-text">
        <h2 class="anywhere" id="shared-title">
          {title ?? (personal ? "You can read this document" : "A document is shared with you")}
        </h2>
        <p>
          {personal
            ? "Your request was approved. "
            : title !== null && "The holder of this document shares it with you. "}
          {issued_by}.
        </p>
        {issuer_ended !== null && <p>{issuer_ended}</p>}
        <dl class="facts">
          <dt>Document</dt>
          <dd>
            <code>{formatDocumentId(document)}</code>, version of {formatDay(at)}
          </dd>
          <dt>The link</dt>
          <dd>
            {personal
              ? "opens it in one browser"
              : `opens it ${left === 1 ? "once" : `up to ${formatCount(left)} times`}`} until{" "}
            {formatDateTime(ends_at)}
          </dd>
        </dl>
        <form method="post" action="/s">
          <input type="hidden" name="act" value="open" />
          <input type="hidden" name="code" value={code} />
          <input type="hidden" name="page" value={page} />
          <p class="actions">
            <button type="submit" class="button primary">Open the document</button>
          </p>
        </form>
        <p class="muted text-small">
          {own
            ? "You are signed in to the record of this document, so opening it does not count."
            : personal
            ? "The link works once and sets a cookie that gives this browser access. The holder of the " +
              "record sees when you view, download or print the document."
            : "The button counts as one opening. You can then read the document in this browser " +
              "for an hour. Its holder sees when it was opened, your network and your browser."}
        </p>
        <p class="muted text-small anywhere">
          The address of this page must begin with <strong class="mono">{origin}/</strong>.
        </p>
      </div>
    </section>
  );
}
