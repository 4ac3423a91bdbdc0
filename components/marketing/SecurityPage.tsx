/** The public statement of the commercial site about security and privacy. */
import { PageHead } from "../PageHead.tsx";
import type { ComponentChildren } from "preact";
import { KEYS_PATH } from "../../packages/proof/mod.ts";
import { LINKS_PER_HOUR, TOKEN_LIFETIME } from "../../lib/features/auth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { LIFETIMES } from "../../lib/features/standard/pages/mod.ts";

/** `/security`: what is stored, how it is protected, and how to report a problem. */
export function SecurityPage({ state }: { state: State }) {
  const { config, surfaces } = state.services;
  const { commercial, foundation } = config.organisations;
  const trust = surfaces.baseFrom(state.surface, "trust");
  const title = `Security at ${commercial.name}`;
  const description = "What is stored, how it is protected, how it is deleted, and how to report " +
    "a vulnerability.";
  return (
    <article class="statement">
      <PageHead title={title} description={description} styles="commercial_page" />
      <header class="statement-head">
        <p class="eyebrow">Security and privacy</p>
        <h1>What we store, and what protects it</h1>
        <p class="lead flush">
          Every sentence here describes how these sites work today.
          {trust !== null && (
            <>
              {" "}
              The <a href={`${trust}/privacy`}>privacy page</a>{" "}
              lists every kind of data, with how long it is kept.
            </>
          )}
        </p>
      </header>
      <Topic id="stored" title="What is stored">
        <p>
          A record has a private and a public half. The private half is what the person entered:
          name, address, message. The holder and the administrators of the organisation that it was
          sent to can read it, and a copy goes by email to the team that answers it.
        </p>
        <p>
          The public half is a hash and a chain of events such as{" "}
          <code>email_confirmed</code>. It contains no names, addresses or files.
        </p>
        <p>
          A document is stored as the exact bytes that were registered. Its readers are the holder,
          administrators, people whose request for access was approved, for at most{" "}
          {LIFETIMES.grant} each time, and whoever the holder gives a link, for{" "}
          {LIFETIMES.sharedReading}{" "}
          each time. The holder sees every time it is read, and can end a link immediately.
        </p>
      </Topic>
      <Topic id="hashes" title="Hashes and signatures">
        <p>
          A record's hash is SHA-256 over the data and 32 random bytes. Without these, nobody can
          test whether it belongs to a certain person.
        </p>
        <p>
          Each event contains the hash of the one before it. The last hash is signed with Ed25519,
          and {trust === null ? "the public keys are published" : (
            <>
              the public keys are published at <a href={`${trust}${KEYS_PATH}`}>{KEYS_PATH}</a>
            </>
          )}. The format is an <a href="/standard">open standard</a> that {foundation.name}{" "}
          maintains, so that anyone can verify a chain without our software.
        </p>
      </Topic>
      <Topic id="sign-in" title="Sign-in without passwords">
        <p>
          There are no passwords. Holders sign in with a passkey, with a link by email, or with a
          code sent to a number that they confirmed before. A link works once, within{" "}
          {TOKEN_LIFETIME}, and a mailbox gets at most {LINKS_PER_HOUR}{" "}
          in an hour for each kind of sign-in, so that nobody can use up the links of another one.
        </p>
        <p>
          Links and sessions are stored only as SHA-256. A stolen copy of the store cannot be used
          to sign in. A session is valid on the host that started it, and ends after{" "}
          {LIFETIMES.session}.
        </p>
        <p>
          A new passkey, a confirmed number, a sign-in by code, a replaced key, a connected agent:
          each is reported to the holder's confirmed address, with a way to undo it.
        </p>
      </Topic>
      <Topic id="operators" title="Our own access">
        <p>
          The two organisations have separate consoles. Neither shows the other's records, documents
          or payments, and an automated test tries every request of one console with the other's
          ids.
        </p>
        <p>
          Administrators can read records and documents. When one of them opens a document, the
          holder sees it in the access log. The audit log keeps their changes and exports for{" "}
          {LIFETIMES.auditLog}. Board members see neither records nor documents.
        </p>
        <p>
          Administrators sign in with a link by email or with a passkey. Once they have a passkey,
          documents, identity checks, deletions and exports open only within 15 minutes of its use.
        </p>
      </Topic>
      <Topic id="browser" title="In your browser">
        <p>
          Pages load scripts, styles and fonts from their own host only
          {config.contact.challenge === undefined
            ? ""
            : `, apart from the bot check of the contact form, from ${
              new URL(config.contact.challenge.scriptUrl).host
            }`}. The Content-Security-Policy allows no inline scripts or styles without a nonce that
          changes with every page. There is no tracking.
        </p>
        <p>
          A file that you check is hashed in your browser and not uploaded. All pages, except the
          ones that compute something for you, work without scripts.
        </p>
      </Topic>
      <Topic id="deletion" title="Deletion">
        <p>
          Holders delete their record themselves. After{" "}
          {LIFETIMES.deletionWaits}, in which they can change their mind, we erase what was entered,
          the random value, documents, passkeys, devices and queued emails. The chain remains
          readable, and nothing is left that connects it to a person.
        </p>
      </Topic>
      <Topic id="limits" title="What this does not protect">
        <p>
          A matching hash proves that a file is the one that was registered. It does not prove that
          what the file says is true. A trust level is a statement of the publisher, not part of the
          chain.
        </p>
        <p>
          Whoever can read a holder's mailbox can request a link to the record. A passkey does not
          prevent that, but the notices make it visible. Someone who steals a session can read and
          download the record. The holder learns of it, and can undo everything else for{" "}
          {LIFETIMES.undo}.
        </p>
      </Topic>
      <Topic id="report" title="Report a vulnerability">
        <p>
          Write to{" "}
          <a href={`mailto:${commercial.contactEmail}?subject=Vulnerability`}>
            {commercial.contactEmail}
          </a>{" "}
          with “Vulnerability” in the subject. Say what you did, what happened and on which host.
          Please use only your own records for a demonstration, and give us time to fix it before
          you publish.
        </p>
        <p>
          Report weaknesses in the format itself to {foundation.name}:{" "}
          <a href={`mailto:${foundation.contactEmail}`}>{foundation.contactEmail}</a>.
        </p>
      </Topic>
    </article>
  );
}

function Topic(
  { id, title, children }: { id: string; title: string; children: ComponentChildren },
) {
  return (
    <section class="statement-part stack lined" id={id} aria-labelledby={`${id}-title`}>
      <h2 class="flush" id={`${id}-title`}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
