/** The page on which the sender of an enquiry confirms their email address. */
import { CONFIG } from "../../lib/features/contact/config.ts";
import type { Confirmable, Confirmation } from "../../lib/features/contact/confirm.ts";
import { maskEmail, maskMobile } from "../../lib/features/contact/receipt.ts";
import { CONFIRMATION_LIFETIME_MS } from "../../lib/features/contact/confirmations.ts";
import type { State } from "../../lib/app/state.ts";
import { DAY_MS, plural } from "../../lib/base/time.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { OpenRecord } from "../OpenRecord.tsx";
import { RunBy } from "../RunBy.tsx";
import { RecordFact } from "./ContactPage.tsx";

const { EYEBROW } = CONFIG.COPY;

const ALREADY = "Your email address is already confirmed";

const LIFETIME = plural(CONFIRMATION_LIFETIME_MS / DAY_MS, "day");

const NO_LINK: readonly BesidePart[] = [
  {
    title: "Your record still exists",
    text: "It has its hash and its first event. Only your address is not confirmed yet.",
  },
  {
    title: "What confirming changes",
    text: "You can open the record, see who checked it, and delete it yourself.",
  },
];

const INVALID: readonly BesidePart[] = [
  {
    title: "Why links stop working",
    text:
      "Part of the link may be missing, a newer email may have replaced it, or the enquiry may " +
      "have been deleted.",
  },
  {
    title: "What confirming changes",
    text: "You can open the record, see who checked it, and delete it yourself.",
  },
];

const BEFORE: readonly BesidePart[] = [
  {
    title: "What others see",
    text: "The hash, and that an address was confirmed. Never the address itself.",
  },
  {
    title: "What you can do then",
    text: "See who verified the record, correct it, or delete it. You never need a password.",
  },
  { title: "If you wait", text: `The link works once, within ${LIFETIME}.` },
];

const AFTER: readonly BesidePart[] = [
  {
    title: "What others see",
    text: "The hash, and that an address was confirmed. Never the address itself.",
  },
  {
    title: "Next time",
    text: "Enter your address at My record. We email you a link that signs you in.",
  },
  {
    title: "If you change your mind",
    text: "You can delete the record yourself. The chain stays, and nobody can tell whose it was.",
  },
];

export interface ConfirmPageProps {
  /** Its surface shows the organisation that the enquiry belongs to. */
  state: State;
  confirmation: Confirmation;
  token: string;
  /** True if the record corrects another one, which it replaces when the address is confirmed. */
  corrects: boolean;
  /** True if the browser is signed in to the record. */
  signedIn: boolean;
  /** The effect of the link: it has opened the record, added it to those that the browser may open, or neither. */
  session: "opened" | "added" | "other";
}

/** The page behind the link in the confirmation mail, before and after its button is pressed. */
export function ConfirmPage(
  { state: page, confirmation, token, corrects, signedIn, session }: ConfirmPageProps,
) {
  const { services, surface } = page;
  if (!confirmation.ok) {
    return confirmation.error === "expired"
      ? (
        <MailedLinkPage state="expired" eyebrow={EYEBROW} beside={NO_LINK}>
          <p class="lead">
            Links expire after{" "}
            {LIFETIME}. Your enquiry is still registered, and we will reply by email.
          </p>
          <p>
            To confirm your address, enter it at{" "}
            <a href="/my-record">My record</a>. We will email you a new link.
          </p>
          <p class="actions">
            <a class="button primary" href="/my-record">Get a new link</a>
          </p>
          <RunBy state={page} />
        </MailedLinkPage>
      )
      : (
        <MailedLinkPage state="other" eyebrow={EYEBROW} beside={INVALID}>
          <p class="lead">
            Open the link from the latest email again, or get a new one.
          </p>
          <p class="actions">
            <a class="button primary" href="/my-record">Get a new link</a>
          </p>
          <RunBy state={page} />
        </MailedLinkPage>
      );
  }
  const { state, hash, contact } = confirmation;
  const organisation = services.config.organisations[surface.organisation].name;
  if (state === "open") {
    return (
      <MailedLinkPage
        state="open"
        title="Confirm your email address"
        eyebrow={EYEBROW}
        beside={BEFORE}
      >
        {corrects
          ? (
            <p class="lead">
              The holder of a record at {organisation} entered {maskEmail(contact.record.email)}
              {" "}
              as a correction. Confirming it puts the corrected record in force and opens it in this
              browser. Its passkeys, its confirmed number and every browser that is signed in keep
              access to it, so confirm it only if the record is yours.
            </p>
          )
          : (
            <p class="lead">
              Your address {maskEmail(contact.record.email)} was entered in the contact form of{" "}
              {organisation}. Confirming it adds an event to the chain of your enquiry's record, and
              opens the record in this browser.
            </p>
          )}
        <form class="confirm around-5" method="post" action="/confirm">
          <LinkFields token={token} />
          <button type="submit" class="button primary">Confirm</button>
        </form>
        <Record hash={hash} />
        <p class="muted">If this was not you, close this page. Nothing will happen.</p>
        <RunBy state={page} />
      </MailedLinkPage>
    );
  }
  if (state === "already_confirmed" && signedIn) {
    return (
      <MailedLinkPage state="used" title={ALREADY} eyebrow={EYEBROW}>
        <p class="actions">
          <a class="button primary" href="/my-record">Open my record</a>
        </p>
      </MailedLinkPage>
    );
  }
  const first = state === "confirmed";
  return (
    <MailedLinkPage
      state="used"
      eyebrow={EYEBROW}
      title={first ? "Your email address is confirmed" : ALREADY}
      beside={AFTER}
    >
      <p class="lead">
        The chain of your record now shows this, and anyone who knows the record's hash can verify
        it.
      </p>
      <p>{first ? FIRST[session] : USED}</p>
      <div class="actions">
        {session === "added"
          ? <OpenRecord record={hash} text="Open this record" />
          : <a class="button primary" href="/my-record">Open my record</a>}
        <a class="button" href={`${surface.baseUrl}/verify?hash=${hash}`}>Verify the chain</a>
      </div>
      <Record hash={hash} />
      {first && <MobileNumber mobile={contact.record.mobile} />}
      {first && <Opening hash={hash} contact={contact} />}
      <RunBy state={page} />
    </MailedLinkPage>
  );
}

const FIRST: Record<ConfirmPageProps["session"], string> = {
  opened: "You can open your record in this browser now, unless it keeps no cookies.",
  added: "You can open your record in this browser. The one that was open still is.",
  other:
    "The record that was open in this browser still is. To open this one, sign in with its address.",
};

const USED =
  "This link has already been used to sign in. To open your record, ask for a sign-in link.";

/** Shows a number that someone else may have entered, so that it never gives them access. */
function MobileNumber({ mobile }: { mobile: string | undefined }) {
  if (mobile === undefined) return null;
  return (
    <p>
      The number {maskMobile(mobile)}{" "}
      was entered too. It gives no access to your record until you confirm it.{" "}
      <a href="/my-record/number">This isn't my number</a>
    </p>
  );
}

const Record = ({ hash }: { hash: string }) => (
  <dl class="facts even">
    <RecordFact hash={hash} />
  </dl>
);

/**
 * The record and its salt, which only the holder of the record should have (standard, "Opening the
 * commitment").
 */
function Opening({ contact: { record, salt } }: Confirmable) {
  return (
    <details class="opening above-5">
      <summary class="below-3">Your record and its random value</summary>
      <p>
        The record's hash is computed from these two values. To prove what the record says, you need
        both. If you may want to do that, keep them, and share them only with people who need the
        proof.
      </p>
      <pre
        class="pad-4 soft-framed round raised anywhere"
        tabindex={0}
      >{JSON.stringify({ record, salt }, null, 2)}</pre>
    </details>
  );
}
