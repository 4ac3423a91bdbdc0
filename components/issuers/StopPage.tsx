/** The page on which an issuer itself stops all of its keys, batches and webhooks, without signing in. */
import type { Failure } from "../../lib/base/result.ts";
import { shortKey, type StoppableIssuer } from "../../lib/features/issuers/mod.ts";
import type { SignedLink } from "../../lib/platform/http/signed_link.ts";
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";

const BEFORE: readonly BesidePart[] = [
  {
    title: "What stopping does",
    text:
      "No API key works any more, batches stop, and webhooks receive nothing. Nothing is issued, replaced or " +
      "withdrawn until we have made you active again and created new keys.",
  },
  {
    title: "What stays",
    text: "Documents that were issued stay as they are, and everybody can check them.",
  },
  {
    title: "If only one key has leaked",
    text: "Use the link in the email about that key. It revokes this key only.",
  },
];

const AFTER: readonly BesidePart[] = [
  {
    title: "Look at what was done",
    text:
      "Tell us which documents somebody else has issued, replaced or withdrawn. We have been alerted.",
  },
  {
    title: "To begin again",
    text: "Write to us. We make you active again, and create new keys.",
  },
];

interface StopPageProps {
  link: SignedLink;
  found: StoppableIssuer | Failure;
}

/** The page behind the link that stops everything of an issuer, before and after its button is pressed. */
export function StopPage({ link, found }: StopPageProps) {
  if (!found.ok) {
    return (
      <MailedLinkPage state="other" eyebrow="API keys">
        <p class="lead">
          Part of it may be missing, or the issuer has another contact now. Open the link in the
          latest email again.
        </p>
      </MailedLinkPage>
    );
  }
  const { issuer, keys, webhooks } = found;
  if (issuer.state !== "active" && keys.length === 0 && webhooks.length === 0) {
    return (
      <MailedLinkPage
        state="used"
        title={`Everything is stopped for ${issuer.name}`}
        eyebrow="API keys"
        beside={AFTER}
      >
        <p class="lead">No API key works, and nothing is issued or changed in its name.</p>
        <p>
          Since <Time at={issuer.state_at} />
        </p>
      </MailedLinkPage>
    );
  }
  return (
    <MailedLinkPage
      state="open"
      title={`Stop everything for ${issuer.name}?`}
      eyebrow="API keys"
      beside={BEFORE}
    >
      <p class="lead">
        Do this if you do not know which key somebody else has, or if they may have several keys.
      </p>
      <dl class="facts even anywhere">
        <dt>API keys</dt>
        <dd>
          {keys.length === 0 ? "None" : keys.map((key) => (
            <div key={key.id}>
              {key.name}, <code>{shortKey(key)}</code>
            </div>
          ))}
        </dd>
        <dt>Webhooks</dt>
        <dd>
          {webhooks.length === 0 ? "None" : webhooks.map(({ id, place }) => (
            <div key={id}>
              <code>{place}</code>
            </div>
          ))}
        </dd>
      </dl>
      <form class="around-5" method="post" action="/keys/stop">
        <LinkFields {...link} />
        <button type="submit" class="button danger">Stop everything</button>
      </form>
    </MailedLinkPage>
  );
}
