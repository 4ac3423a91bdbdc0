/** Pausing webhooks that keep failing, with an alert. */
import { DAY_MS, formatDateTime } from "../../base/time.ts";
import {
  createMail,
  type Mail,
  type MailSender,
  type QueuedMail,
} from "../../platform/mail/mod.ts";
import { addObservation, type Condition } from "../alerts/mod.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { WebhookOptions } from "./options.ts";
import { POST_ERRORS, type PostError } from "./post.ts";
import type { EndpointRow, PauseReason } from "./rows.ts";

/** The kind of the alert about a paused webhook. */
export const WEBHOOK_PAUSED = "webhook_paused";

/** How long a mail about a paused webhook may wait to be sent. */
const MAIL_WAITS_MS = 7 * DAY_MS;

/** Returns an endpoint that receives nothing until it is resumed. */
export const paused = (row: EndpointRow, reason: PauseReason, now: number): EndpointRow => ({
  ...row,
  state: "paused",
  state_at: new Date(now).toISOString(),
  reason,
});

/** Returns an endpoint as if it had never failed. */
export const recovered = (row: EndpointRow): EndpointRow => ({
  ...row,
  failures: 0,
  failing_since: null,
  probe_at: null,
});

/** A pause is decided by the failures in the row of the endpoint, and lasts until somebody resumes it. */
const webhookPaused: Condition = { kind: WEBHOOK_PAUSED, reopens: true };

const problemOf = ({ id }: EndpointRow) =>
  ({ condition: webhookPaused, organisation: "commercial", problem: id }) as const;

/**
 * Adds to the commit that pauses an endpoint by itself: an alert, and a mail to the issuer's contact if
 * there is one.
 *
 * @returns the mails to send after the commit
 */
export async function addPauseNotices(
  { kv, mailer, organisation, docsUrl }: WebhookOptions,
  commit: Deno.AtomicOperation,
  { endpoint, issuer, error, now }: {
    endpoint: EndpointRow;
    issuer: IssuerRow;
    error: PostError;
    now: number;
  },
): Promise<QueuedMail[]> {
  const { reason, mode, failing_since } = endpoint;
  const details = { reason: reason!, error, mode, issuer: issuer.name };
  const links = { issuer: issuer.id };
  const observed = { state: "bad", again: true, links, details } as const;
  await addObservation(kv, commit, problemOf(endpoint), observed, now);
  if (issuer.contact === null) return [];
  const sender: MailSender = { key: "commercial", name: organisation.name, organisation };
  const since = failing_since ?? new Date(now).toISOString();
  const mail = pauseMail({ sender, to: issuer.contact, endpoint, issuer, error, since, docsUrl });
  const expiresAt = now + MAIL_WAITS_MS;
  const about = `issuer/${issuer.id}`;
  return [await mailer.add(commit, mail, { expiresAt, about, kind: "issuer" })];
}

/** Adds to a commit that the alert about a paused endpoint is done. */
export const endAlert = (
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  endpoint: EndpointRow,
  now: number,
): Promise<unknown> => addObservation(kv, commit, problemOf(endpoint), { state: "ok" }, now);

/** The mail names only the host, because the rest of a URL may be a secret of the issuer. */
function pauseMail({ sender, to, endpoint, issuer, error, since, docsUrl }: {
  sender: MailSender;
  to: string;
  endpoint: EndpointRow;
  issuer: IssuerRow;
  error: PostError;
  since: string;
  docsUrl: string | null;
}): Mail {
  const { hostname } = new URL(endpoint.url);
  const isTest = endpoint.mode === "test";
  return createMail({
    sender,
    to,
    subject: `Your webhook at ${hostname} is paused`,
    title: "Your webhook is paused",
    parts: [
      endpoint.reason === "gone"
        ? `Your server at ${hostname} responded to an event with 410, so we no longer send events ` +
          "to this webhook."
        : `Your server at ${hostname} has not accepted our events since ${
          formatDateTime(since)
        }, ` +
          "so we no longer send events to this webhook.",
      {
        facts: [
          ["Issuer", issuer.name],
          ["Webhook", `${endpoint.id}${isTest ? " (test)" : ""}`],
          ["Last problem", POST_ERRORS[error]],
        ],
      },
      "Until then, events are kept for 30 days. Once your server works again, resume the " +
      "webhook through the API, and we send them. You can also have failed events sent again.",
      ...docsUrl === null ? [] : [{ link: docsUrl, text: "How webhooks work" }],
    ],
    because: `you are the contact of ${issuer.name}, which issues documents with ${sender.name}`,
  });
}
