import type { ComponentChildren } from "preact";
import {
  type AddressMails,
  LATELY_MS,
  type ListedMail,
  MAIL_PATH,
  MOST_MAILS,
} from "../../lib/features/console/mail.ts";
import type { DeliveryRow } from "../../lib/platform/jobs/mod.ts";
import { MAIL_FAILURES, MAIL_KINDS, type MailKind } from "../../lib/platform/mail/kinds.ts";
import { formatCount, formatDateTime, inHours, plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { SearchBar } from "../FilterBar.tsx";
import { Time } from "../Time.tsx";
import { Card, PageHead } from "./parts.tsx";

interface MailPageProps {
  /** The address that was searched for; null for none. */
  found: AddressMails | null;
  /** The last mails that did not arrive, unless an address was searched for. */
  failed: readonly ListedMail[];
  /** How many addresses were refused lately. */
  refused: number;
  result: ShownResult | null;
  /** The search, as it was typed. */
  search?: { email: string; problem?: string };
}

/** Where the mail to an address is, and which mails did not arrive. */
export function MailPage({ found, failed, refused, result, search }: MailPageProps) {
  return (
    <>
      <PageHead
        title="Mail"
        lead="What became of each mail of the last 90 days: every kind, with the reason if it did not arrive."
      />
      {result !== null && <ActionResult result={result} action={MAIL_PATH} />}
      <SearchBar
        action={MAIL_PATH}
        label="Exact email address"
        submit="Find"
        name="email"
        type="email"
        value={search?.email ?? ""}
        required
        problem={search?.problem}
      />
      {found === null ? <Failed {...{ failed, refused }} /> : <Found found={found} />}
    </>
  );
}

function Found({ found }: { found: AddressMails }) {
  const { mails } = found;
  return (
    <div class="stack gap-4">
      <Card id="address" title="The address">
        <AddressState found={found} />
      </Card>
      <Card id="mails" title="Mail to this address">
        {mails.length === 0
          ? (
            <p>
              No mail to this address was sent in the last 90 days. Somebody who asks for a sign-in
              link where they have no account, or too often, gets none.
            </p>
          )
          : <MailList mails={mails} />}
      </Card>
      <p>
        <a href={MAIL_PATH}>Mail that did not arrive</a>
      </p>
    </div>
  );
}

/** Says if mail goes to an address, with the form that says that it works again. */
function AddressState({ found: { fingerprints, known, stopped } }: { found: AddressMails }) {
  if (known === null) return <p>Mail goes to this address: no refusal of its server counts.</p>;
  const { refused_at, refusals, reply, complained_at } = known;
  return (
    <>
      <p>
        {stopped === "all"
          ? "No mail goes to this address, because its server has refused it."
          : stopped === "unasked"
          ? "Sign-in links and notices go to this address, but no documents of issuers."
          : "Mail goes to this address."}
      </p>
      <dl class="facts even">
        {refused_at !== null && (
          <>
            <dt>Refused</dt>
            <dd>
              <Time at={refused_at} />
              {refusals > 1 && `, on ${refusals} days`}
              {reply !== null && (
                <>
                  {" "}with <code>{reply}</code>
                </>
              )}
            </dd>
          </>
        )}
        {complained_at !== null && (
          <>
            <dt>Reported as spam</dt>
            <dd>
              <Time at={complained_at} />
            </dd>
          </>
        )}
      </dl>
      {refusals === 1 && (
        <p class="note">
          A person’s own mail is tried again a day after the first refusal. After a second one, it
          stops for good.
        </p>
      )}
      <form method="post" action={MAIL_PATH}>
        <input type="hidden" name="act" value="works" />
        <input type="hidden" name="address" value={fingerprints.join(",")} />
        <p>
          If its owner tells you that it works, mail can go to it again; then ask them to request a
          new one. Mail to addresses that do not work gets the sender blocked.
        </p>
        <button type="submit" class="button">It works again</button>
      </form>
    </>
  );
}

function Failed({ failed, refused }: { failed: readonly ListedMail[]; refused: number }) {
  return (
    <div class="stack gap-4">
      {refused > 0 && (
        <Card id="refused" title="Addresses that were refused">
          <p>
            In the last {inHours(LATELY_MS)}, {plural(refused, "address was", "addresses were")}
            {" "}
            refused for good, so mail there stopped.
          </p>
          <details>
            <summary>They all work…</summary>
            <form method="post" action={MAIL_PATH}>
              <input type="hidden" name="act" value="all_work" />
              <p>
                Only if a mail server refused good addresses by mistake: mail goes to all of them
                again.
              </p>
              <button type="submit" class="button danger">
                Mail to {plural(refused, "address", "addresses")} works again
              </button>
            </form>
          </details>
        </Card>
      )}
      <Card id="failed" title="Mail that did not arrive">
        {failed.length === 0
          ? <p>All mail of the last 90 days was accepted, as far as servers have reported.</p>
          : (
            <>
              <MailList mails={failed} />
              {failed.length >= MOST_MAILS && <p class="muted">Only the last {MOST_MAILS}.</p>}
            </>
          )}
      </Card>
    </div>
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
        “Sent” means that the mail server has accepted the mail. Mail that could not be delivered
        can be sent again from <a href="/console/alerts">Alerts</a>, unless the server rejected it.
      </p>
    </>
  );
}

/** Neighbours that differ only in their time, such as the offers of a batch that came back. */
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

/** Those whom a mail can be about and who have a page. */
const OWNER = /^(user|contact|issuer)\/(.+)$/;

/** Leads to the page of whom a mail was about. */
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
