/** The page on which an issuer itself revokes an API key that may have leaked, without signing in. */
import type { State } from "../../lib/app/state.ts";
import { KEY_SCOPES, type RevocableKey, shortKey, works } from "../../lib/features/issuers/mod.ts";
import type { Failure } from "../../lib/base/result.ts";
import type { SignedLink } from "../../lib/platform/http/signed_link.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";
import { WebhookList, WebhooksChoice } from "./WebhooksChoice.tsx";

const BEFORE: readonly BesidePart[] = [
  {
    title: "What revoking does",
    text:
      "Programs that use the key get errors at once, and its batches stop. This cannot be undone: " +
      "an administrator has to create a new key.",
  },
  {
    title: "What stays",
    text:
      "Documents that were issued with the key stay as they are, and your other keys keep working.",
  },
  { title: "If everything is in order", text: "Close this page. Nothing changes." },
];

const AFTER: readonly BesidePart[] = [
  {
    title: "Look at what was done",
    text:
      "List your documents, and tell us which ones somebody else has issued, replaced or withdrawn.",
  },
  {
    title: "A new key",
    text: "Ask us for one, and keep it away from the place where the old one leaked.",
  },
];

interface RevokePageProps {
  state: State;
  link: SignedLink;
  linked: RevocableKey | Failure;
  /** Why the form was refused. */
  problem?: string;
}

/** The page behind the links in mails about an API key, before and after its button is pressed. */
export function RevokePage({ state, link, linked, problem }: RevokePageProps) {
  if (!linked.ok) {
    return (
      <MailedLinkPage state="other" eyebrow="API keys">
        <p class="lead">
          Part of it may be missing, or the key ended more than 90 days ago. Open the link in the
          email again.
        </p>
      </MailedLinkPage>
    );
  }
  const { key, webhooks } = linked;
  if (key.revoked_at !== null) return <Revoked {...{ link, linked }} />;
  const isWorking = works(key, state.services.clock());
  return (
    <MailedLinkPage
      state="open"
      eyebrow="API keys"
      title={isWorking ? "Revoke this API key?" : "This API key has expired"}
      beside={BEFORE}
    >
      <p class="lead">
        {isWorking
          ? "Whoever has the key can use it until you revoke it."
          : "It no longer works. Revoking it also stops the batches that were sent with it."}
      </p>
      <Facts linked={linked} />
      <form class="around-5" method="post" action="/keys/revoke">
        <LinkFields {...link} />
        <WebhooksChoice {...{ webhooks, problem }} />
        <button type="submit" class="button danger">Revoke the key</button>
      </form>
    </MailedLinkPage>
  );
}

function Revoked({ link, linked }: { link: SignedLink; linked: RevocableKey }) {
  const { webhooks } = linked;
  return (
    <MailedLinkPage state="used" title="The API key is revoked" eyebrow="API keys" beside={AFTER}>
      <p class="lead">Nobody can use it any more.</p>
      <Facts linked={linked} />
      {webhooks.length > 0 && (
        <form class="around-5" method="post" action="/keys/revoke">
          <LinkFields {...link} />
          <WebhookList webhooks={webhooks} />
          <p>
            {webhooks.length === 1 ? "It still receives" : "They still receive"}{" "}
            the events of your documents. {webhooks.length === 1
              ? "Remove it if you do not recognise it."
              : "Remove them if you do not recognise every address."}
          </p>
          <button type="submit" class="button danger" name="webhooks" value="remove">
            Remove {webhooks.length === 1 ? "it" : "them"}
          </button>
        </form>
      )}
    </MailedLinkPage>
  );
}

const Facts = ({ linked: { issuer, key } }: { linked: RevocableKey }) => (
  <dl class="facts even anywhere">
    <dt>Issuer</dt>
    <dd>{issuer}</dd>
    <dt>Key</dt>
    <dd>
      {key.name}, <code>{shortKey(key)}</code>
    </dd>
    <dt>Permissions</dt>
    <dd>{key.scopes.map((scope) => KEY_SCOPES[scope]).join(" · ")}</dd>
    <dt>Created</dt>
    <dd>
      <Time at={key.created_at} />
    </dd>
    {key.revoked_at !== null && (
      <>
        <dt>Revoked</dt>
        <dd>
          <Time at={key.revoked_at} />
        </dd>
      </>
    )}
  </dl>
);
