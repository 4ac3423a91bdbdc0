import { Head } from "fresh/runtime";
import type { OutboxMail } from "../../lib/mail/mod.ts";
import { StateNote } from "../StateNote.tsx";

export function Outbox({ mails }: { mails: readonly OutboxMail[] }) {
  return (
    <section class="prose">
      <Head>
        <title>Outbox</title>
      </Head>
      <p class="eyebrow">Development</p>
      <h1>Outbox</h1>
      <p class="lead">
        Mail is kept here until the process ends. Set <code>MAIL_TRANSPORT</code> to send it.
      </p>
      {mails.length === 0 && (
        <StateNote kind="empty" title="No mail yet">
          <p>
            Request a link on <a href="/auth">the sign-in page</a>.
          </p>
        </StateNote>
      )}
      {mails.map((mail) => (
        <article class="card mail">
          <h2>{mail.subject}</h2>
          <dl class="facts">
            <dt>To</dt>
            <dd>{mail.to}</dd>
            <dt>From</dt>
            <dd>{mail.from}</dd>
          </dl>
          {mail.link !== undefined && (
            <p>
              <a class="button primary" href={mail.link}>Open the link</a>
            </p>
          )}
          <pre>{mail.text}</pre>
        </article>
      ))}
    </section>
  );
}
