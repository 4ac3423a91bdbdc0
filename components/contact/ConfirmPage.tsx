import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import type { Confirmable, ConfirmationState } from "../../lib/contact/mod.ts";
import { maskEmail } from "../../lib/contact/masked.ts";

export interface ConfirmPageProps {
  found: ConfirmationState;
  /** Of the link, to be posted back. */
  token: string;
  /** Where a record's chain is verified. */
  verifyUrl: (hash: string) => string;
  /** Whether the holder of the address has asked for it, by the button: then the record is shown. */
  asked: boolean;
}

/** What the link of the confirmation mail leads to, and what the button on it does. */
export function ConfirmPage({ found, token, verifyUrl, asked }: ConfirmPageProps) {
  switch (found.state) {
    case "unknown":
      return (
        <Page title="This link is not known">
          <p class="lead">
            It may not have been copied in full, or what it was for has been deleted. Open it from
            the mail once more.
          </p>
        </Page>
      );
    case "expired":
      return (
        <Page title="This link has expired">
          <p class="lead">
            It was good for 7 days. Your enquiry is registered all the same, and answered by email.
          </p>
        </Page>
      );
    case "open":
      return (
        <Page title="Confirm your email address">
          <p class="lead">
            Your address {maskEmail(found.contact.record.email)}{" "}
            was entered in our contact form. Confirming adds one event to the chain of the record
            that the enquiry became.
          </p>
          <form class="confirm" method="post" action="/confirm">
            <input type="hidden" name="token" value={token} />
            <button type="submit" class="button primary">Confirm</button>
          </form>
          <Record hash={found.hash} />
          <p class="muted">If that was not you, close this page: nothing happens.</p>
        </Page>
      );
    case "already":
    case "confirmed":
      return (
        <Page
          title={found.state === "confirmed"
            ? "Your email address is confirmed"
            : "Your email address was confirmed already"}
        >
          <p class="lead">
            The chain of your record says so, and anybody who knows the record's hash can verify it.
          </p>
          <p>
            <a class="button primary" href={verifyUrl(found.hash)}>Verify the chain</a>
          </p>
          <Record hash={found.hash} />
          {asked && <Opening {...found} />}
        </Page>
      );
  }
}

function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="prose">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={asset("/styles/contact.css")} />
      </Head>
      <p class="eyebrow">Verified enquiry</p>
      <h1>{title}</h1>
      {children}
    </section>
  );
}

function Record({ hash }: { hash: string }) {
  return (
    <dl class="facts even">
      <dt>Record</dt>
      <dd>
        <code>{hash}</code>
      </dd>
    </dl>
  );
}

/** The record and its salt, which its holder should have (standard, "Opening the commitment"). */
function Opening({ contact: { record, salt } }: Confirmable) {
  return (
    <details class="opening">
      <summary>Your record and its salt</summary>
      <p>
        With both, and with nothing less, you can prove what the record says: its hash is made from
        them. Keep them if you may want to, and show them only to whom you want to convince.
      </p>
      <pre tabindex={0}>{JSON.stringify({ record, salt }, null, 2)}</pre>
    </details>
  );
}
