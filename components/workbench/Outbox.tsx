/** The workbench page `/dev/outbox`, with the mails that development does not send. */
import type { DevOutboxMail } from "../../lib/platform/mail/mod.ts";
import type { InboxFrame } from "../../lib/features/workbench/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { InboxPage, Message } from "./InboxPage.tsx";

/** The mails in the outbox that match a search, the newest one open. */
export function Outbox({ mails, total, query, frame }: {
  mails: readonly DevOutboxMail[];
  /** The number of all mails. */
  total: number;
  query: string;
  frame: InboxFrame;
}) {
  return (
    <InboxPage
      of="mail"
      title="Outbox"
      lead={
        <>
          Mail that would have been sent. It is kept here until the process ends. Set{" "}
          <code>MAIL_TRANSPORT</code> to send it.
        </>
      }
      frame={frame}
      tools={<Search query={query} />}
    >
      {query !== "" && (
        <p class="muted">
          {mails.length} of {total} {total === 1 ? "email" : "emails"} match.{" "}
          <a href="/dev/outbox">Show all</a>
        </p>
      )}
      {total === 0
        ? (
          <StateNote kind="empty" title="No email yet">
            <p>
              Send the <a href="/contact">contact form</a>, or request a link on{" "}
              <a href="/auth">the sign-in page</a>.
            </p>
          </StateNote>
        )
        : mails.length === 0 && (
          <StateNote kind="empty" title={`No email contains “${query}”`}>
            <p>The search covers subjects, addresses and texts.</p>
          </StateNote>
        )}
      {mails.map((mail, i) => (
        <Message
          key={mail.id}
          id={mail.id ?? String(total - i)}
          newest={i === 0 && query === ""}
          title={mail.subject}
          to={`To ${mail.to}`}
          at={mail.at}
        >
          <p class="muted below-3">From {mail.from}</p>
          {mail.link !== undefined && (
            <p class="below-3">
              <a class="button primary" href={mail.link}>Open the link</a>
            </p>
          )}
          <div class="mail-views stack gap-4">
            <iframe
              class="full-width framed rounded"
              title={`The email “${mail.subject}” as HTML`}
              src={`/dev/outbox/${mail.id}`}
              sandbox=""
              loading="lazy"
            />
            <pre class="pad-4 rounded anywhere">{mail.text}</pre>
          </div>
        </Message>
      ))}
    </InboxPage>
  );
}

function Search({ query }: { query: string }) {
  return (
    <form class="wrap inbox-search gap-2 bottom below-5" role="search" action="/dev/outbox">
      <label class="bold" for="outbox-search">Search the outbox</label>
      <input
        id="outbox-search"
        class="text-input shrinks"
        type="search"
        name="q"
        maxlength={200}
        autocomplete="off"
        {...{ defaultValue: query }}
      />
      <button type="submit" class="button">Search</button>
    </form>
  );
}
