/**
 * The question about a key's webhooks when the key is revoked, on the console and on the page behind a mailed link.
 */
import type { KeyWebhook } from "../../lib/features/issuers/mod.ts";

/** Lists the webhooks of a key that is to be revoked, and asks whether to remove them too. Nothing is chosen in advance. */
export function WebhooksChoice(
  { webhooks, problem }: { webhooks: readonly KeyWebhook[]; problem?: string },
) {
  if (webhooks.length === 0) return null;
  return (
    <>
      <WebhookList webhooks={webhooks} />
      <fieldset class="field">
        <legend>Remove the webhooks too?</legend>
        {CHOICES.map(({ value, title, text }) => (
          <label class="check" key={value}>
            <input type="radio" name="webhooks" value={value} required />
            <span class="stack">
              {title}
              <small class="muted">{text}</small>
            </span>
          </label>
        ))}
        {problem !== undefined && <span class="problem" role="alert">{problem}</span>}
      </fieldset>
    </>
  );
}

/** Lists the webhooks that a key has added, or whose address or secret it set last. */
export const WebhookList = ({ webhooks }: { webhooks: readonly KeyWebhook[] }) => (
  <>
    <p>
      The key has added {webhooks.length === 1 ? "this webhook" : "these webhooks"}, or changed{" "}
      {webhooks.length === 1 ? "its" : "their"} address or secret:
    </p>
    <ul class="plain below-4 anywhere">
      {webhooks.map(({ id, place }) => (
        <li key={id}>
          <code>{place}</code>
        </li>
      ))}
    </ul>
  </>
);

const CHOICES = [
  {
    value: "remove",
    title: "Remove them",
    text: "Choose this if you do not recognise every address. Events that are waiting are deleted.",
  },
  { value: "keep", title: "Keep them", text: "They continue to receive events without the key." },
] as const;
