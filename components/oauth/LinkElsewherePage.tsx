/** The pages of a sign-in link for an app's request that is opened in another browser. */
import { LINK_CODE_LIFETIME_MS, type SignInRequest } from "../../lib/features/records/mod.ts";
import type { StoredRequest } from "../../lib/features/oauth/mod.ts";
import { MINUTE_MS, plural } from "../../lib/base/time.ts";
import { ActionPage } from "../ActionPage.tsx";
import { AppName, RequestFacts } from "./RequestFacts.tsx";

interface ElsewhereProps {
  request: StoredRequest;
  /** The browser and network from which the link was requested. */
  link: SignInRequest;
}

/**
 * The page of a sign-in link that was opened in a different browser from the one that requested it.
 * It signs nobody in. Its button shows a code for the original tab.
 */
export function LinkElsewherePage({ request, link, token }: ElsewhereProps & { token: string }) {
  return (
    <ActionPage title="Did you ask to sign in?" styles="consent" back={false}>
      <p class="lead">
        Someone requested this link in another browser, to connect the app{" "}
        <AppName request={request} />. This page does not sign you in here.
      </p>
      <ElsewhereFacts request={request} link={link} />
      <p>
        If you requested it, show the code and type it into the tab where you started. If you did
        not, close this page, and nothing will happen.
      </p>
      <ReadOutWarning which="the code" />
      <form method="post" action="/my-record/link">
        <input type="hidden" name="token" value={token} />
        <button type="submit" class="button primary">Show the code</button>
      </form>
      <p class="muted above-4">The link works only once.</p>
    </ActionPage>
  );
}

/** The code that signs in where the link was requested. */
export function LinkCodePage({ request, link, code }: ElsewhereProps & { code: string }) {
  return (
    <ActionPage title="Your code" styles="consent" back={false}>
      <ReadOutWarning which="this code" />
      <p class="link-code">
        <code class="box pad-4-5">
          <span>{code.slice(0, 3)}</span>
          <span>{code.slice(3)}</span>
        </code>
      </p>
      <p>
        Type it into the tab where you started to connect{" "}
        <AppName request={request} />. It signs that browser in to your record, works once and
        expires after {plural(LINK_CODE_LIFETIME_MS / MINUTE_MS, "minute")}.
      </p>
      <ElsewhereFacts request={request} link={link} />
      <p class="muted">
        If you do not recognise where it was asked from, close this page and do not share the code.
      </p>
    </ActionPage>
  );
}

const ElsewhereFacts = ({ request, link: { reader } }: ElsewhereProps) => (
  <dl class="facts even">
    <dt>Requested from</dt>
    <dd>{reader.browser}, network {reader.network}</dd>
    <RequestFacts request={request} />
  </dl>
);

/** Anyone who persuades a holder to read out the code would be signed in to the record. */
const ReadOutWarning = ({ which }: { which: string }) => (
  <div class="consent-warning pad-3-4 rounded">
    <p class="flush">
      <strong>
        Only type {which} into a tab that you opened yourself. Nobody will ask you for it.
      </strong>{" "}
      Anyone who gets it can open your record.
    </p>
  </div>
);
