/** Lists of sent mails and their delivery, on the console's pages about mail, records and accounts. */
import type { ComponentChildren } from "preact";
import type { ListedMail } from "../../lib/features/mail_reports/mail.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import { MAIL_FAILURES, MAIL_KINDS, type MailKind } from "../../lib/platform/mail/kinds.ts";
import { formatCount, formatDateTime, plural } from "../../lib/base/time.ts";
import { Time } from "../Time.tsx";

/** The mails about a record or account, and the way to all mail to the address. */
export function MailPart({ mails, path, of }: {
  mails: readonly DeliveryRow[];
  /** The path of the page about the address. */
  path: string;
  of: "record" | "account";
}) {
  return (
    <>
      {mails.length === 0
        ? <p>No email about this {of} was sent in the last 90 days.</p>
        : <MailList mails={mails.map((row) => ({ about: null, row }))} />}
      <p>
        <a href={path}>All email to this address</a>
      </p>
    </>
  );
}

const STATES: Record<DeliveryRow["state"], [text: string, tone: string]> = {
  sending: ["Sending", ""],
  retrying: ["Retrying", "warn"],
  sent: ["Sent", "good"],
  failed: ["Failed", "bad"],
  returned: ["Came back", "bad"],
};

/**
 * Mails with their outcome. "Sent" means that the mail server accepted the mail. Those that a reader cannot tell apart
 * are one row.
 */
export function MailList({ mails }: { mails: readonly ListedMail[] }) {
  return (
    <>
      <ul class="record-rows">
        {groupsOf(mails).map(({ about, row, count }) => {
          const [text, tone] = STATES[row.state];
          return (
            <li class="stack baseline gap-0-4 ruled anywhere" key={row.id}>
              <span>
                {nameOf(row)} <span class={`pill ${tone}`.trim()}>{text}</span>{" "}
                {count > 1 && <strong class="digits">{formatCount(count)} times</strong>}{" "}
                <Owner about={about} />
              </span>
              <span class="muted text-small digits">
                {count > 1 && "newest "}
                <Time at={row.at} />
              </span>
              {row.state !== "sent" && row.reason !== null && (
                <span class="muted">
                  {problemOf(row)} {row.reply !== null && <code>{row.reply}</code>}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p class="note">
        “Sent” means that the mail server has accepted the email. Mail that could not be delivered
        can be sent again from <a href="/console/alerts">Alerts</a>, unless the server rejected it.
      </p>
    </>
  );
}

/** Groups consecutive emails that differ only in their time, such as the offers of a batch that came back. */
function groupsOf(mails: readonly ListedMail[]): (ListedMail & { count: number })[] {
  const groups: (ListedMail & { count: number })[] = [];
  for (const mail of mails) {
    const last = groups.at(-1);
    if (last !== undefined && lookOf(last) === lookOf(mail)) last.count++;
    else groups.push({ ...mail, count: 1 });
  }
  return groups;
}

const lookOf = ({ about, row }: ListedMail): string => {
  const { state, reason, reply, failures, next_at } = row;
  const linked = OWNER.exec(about ?? "")?.[0];
  return JSON.stringify([linked, nameOf(row), state, reason, reply, failures, next_at]);
};

function nameOf({ labels: { kind } }: DeliveryRow): string {
  const name = MAIL_KINDS[kind as MailKind] ?? "mail";
  return name[0].toUpperCase() + name.slice(1);
}

function problemOf({ state, failures, reason, next_at }: DeliveryRow): string {
  const why = MAIL_FAILURES[reason!] ?? "The site had an error.";
  if (state === "returned" || failures === 0) return why;
  const attempts = `${plural(failures, "attempt")} failed. ${why}`;
  return state === "retrying" && next_at !== null
    ? `${attempts} The next attempt is at ${formatDateTime(next_at)}.`
    : attempts;
}

/** The subjects of emails that have a page: users, records and issuers. */
const OWNER = /^(user|contact|issuer)\/(.+)$/;

/** Links to the page of the user, record or issuer that an email was about. */
function Owner({ about }: { about: string | null }): ComponentChildren {
  const [, what, id] = OWNER.exec(about ?? "") ?? [];
  switch (what) {
    case "user":
      return <a href={`/console/users/${id}`}>user {id}</a>;
    case "contact":
      return <a href={`/console/records/${id}`}>record {id.slice(0, 8)}…</a>;
    case "issuer":
      return <a href={`/console/issuers/${id}`}>issuer</a>;
    default:
      return null;
  }
}
