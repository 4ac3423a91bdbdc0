import type { Confirmable, Confirmation } from "../../lib/contact/confirm.ts";
import { maskEmail } from "../../lib/contact/receipt.ts";
import { CONFIRMATION_LIFETIME_MS } from "../../lib/contact/store.ts";
import { DAY_MS, plural } from "../../lib/time.ts";
import { ContactPage, RecordFact } from "./ContactPage.tsx";

export interface ConfirmPageProps {
  confirmation: Confirmation;
  /** The name of the organisation that the enquiry belongs to. */
  organisation: string;
  token: string;
  verifyUrl: (hash: string) => string;
  /** Whether the button was pressed. The page then shows the record. */
  pressed: boolean;
}

/** The page behind the link in the confirmation mail, before and after its button is pressed. */
export function ConfirmPage(
  { confirmation, organisation, token, verifyUrl, pressed }: ConfirmPageProps,
) {
  if (!confirmation.ok) {
    return confirmation.error === "expired"
      ? (
        <ContactPage title="This link has expired">
          <p class="lead">
            Links expire after{"  "}
            {plural(CONFIRMATION_LIFETIME_MS / DAY_MS, "day")}. Your enquiry is still registered,
            and we will reply by email.
          </p>
        </ContactPage>
      )
      : (
        <ContactPage title="This link is not valid">
          <p class="lead">
            It may be incomplete, or the enquiry may have been deleted. Open the link from the mail
            again.
          </p>
        </ContactPage>
      );
  }
  const { state, hash, contact } = confirmation;
  if (state === "open") {
    return (
      <ContactPage title="Confirm your email address">
        <p class="lead">
          Your address {maskEmail(contact.record.email)} was entered in the contact form of{" "}
          {organisation}. Confirming it adds an event to the chain of your enquiry's record.
        </p>
        <form class="confirm" method="post" action="/confirm">
          <input type="hidden" name="token" value={token} />
          <button type="submit" class="button primary">Confirm</button>
        </form>
        <Record hash={hash} />
        <p class="muted">If this was not you, close this page. Nothing will happen.</p>
      </ContactPage>
    );
  }
  return (
    <ContactPage
      title={state === "confirmed"
        ? "Your email address is confirmed"
        : "Your email address is already confirmed"}
    >
      <p class="lead">
        The chain of your record now shows this, and anyone who knows the record's hash can verify
        it.
      </p>
      <p>
        <a class="button primary" href={verifyUrl(hash)}>Verify the chain</a>
      </p>
      <Record hash={hash} />
      {pressed && <Opening hash={hash} contact={contact} />}
    </ContactPage>
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
    <details class="opening">
      <summary>Your record and its salt</summary>
      <p>
        The record's hash is computed from these two values. To prove what the record says, you need
        both. If you may want to do that, keep them, and share them only with people who need the
        proof.
      </p>
      <pre tabindex={0}>{JSON.stringify({ record, salt }, null, 2)}</pre>
    </details>
  );
}
