/** The confirmation page that a mailed sign-in link opens, because mail scanners open links too. */
import { maskEmail } from "../../lib/features/contact/mod.ts";
import type { StoredRequest } from "../../lib/features/oauth/mod.ts";
import type { OpenLink } from "../../lib/features/records/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { AppName } from "../oauth/RequestFacts.tsx";
import type { State } from "../../lib/app/state.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { RunBy } from "../RunBy.tsx";

const BESIDE: readonly BesidePart[] = [
  {
    title: "What this opens",
    text: "The chain of events, the documents, and the log of everyone who opened them.",
  },
  {
    title: "On a shared computer",
    text: "Sign out when you are done. The link itself works only once.",
  },
  {
    title: "If you did not request it",
    text: "Close this page. Nothing changes until someone presses the button.",
  },
];

/** The page behind a mailed sign-in link. Only its button signs in. */
export function LinkPage(
  { state, link, token, request }: {
    state: State;
    link: OpenLink;
    token: string;
    /** The app's request that the holder signs in for. */
    request?: StoredRequest;
  },
) {
  const { records: [first, ...more], elsewhere, recovery } = link;
  return (
    <MailedLinkPage state="open" title="Sign in" part="My record" beside={BESIDE}>
      <p class="lead">
        {recovery
          ? (
            <>
              This link opens the record <code>{first.hash.slice(0, 8)}</code> again.
            </>
          )
          : (
            <>
              This link opens {plural(more.length + 1, "record")} with the address{" "}
              <strong>{maskEmail(first.contact.value.record.email)}</strong>.
            </>
          )}
      </p>
      {request !== undefined && (
        <p>
          After you sign in, you decide whether to connect <AppName request={request} />.
        </p>
      )}
      {elsewhere && (
        <p class="caution pad-3-4 rounded" role="status">
          This link was requested in another browser, or some time ago. You can sign in here too. If
          you did not request it, close this page.
        </p>
      )}
      <form class="record-form" method="post" action="/my-record/link">
        <LinkFields token={token} />
        <button type="submit" class="button primary">Sign in</button>
      </form>
      <RunBy state={state} />
    </MailedLinkPage>
  );
}
