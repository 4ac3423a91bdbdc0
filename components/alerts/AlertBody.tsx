/** The text of each kind of alert on the consoles, with links to what it is about. */
import type { ComponentChildren } from "preact";
import type { NamedObjects } from "./views.ts";
import type { Alert, AlertLinks, AlertReport } from "../../lib/features/alerts/mod.ts";
import { MAIL_PATH } from "../../lib/features/mail_reports/mail.ts";
import { batchPath } from "../../lib/features/issuing/console_batches.ts";
import { formatPosition } from "../../lib/platform/listing/filters.ts";
import { MAIL_FAILURES, MAIL_KINDS } from "../../lib/platform/mail/mod.ts";
import {
  formatMoney,
  paymentPath,
  STATUS_LABELS,
  statusOf,
} from "../../lib/features/payments/mod.ts";
import { HEALTH_ALERTS } from "../../lib/features/infra/mod.ts";
import { PUSHES, type PushKind } from "../../packages/proof/mod.ts";
import { POST_ERRORS, type PostError } from "../../lib/features/webhooks/mod.ts";
import { PUSH_FAILURES, PUSH_SERVICES, type PushPlatform } from "../../lib/features/push/mod.ts";
import { LEARNING_MS, MOST_WITHDRAWN } from "../../lib/features/issuers/mod.ts";
import { formatDateTime, inDays, plural } from "../../lib/base/time.ts";
import { Time } from "../Time.tsx";
import { dollars } from "../../lib/features/bank/console/labels.ts";
import { AccountNumber } from "../bank/parts.tsx";

interface BodyProps {
  alert: Alert;
  objects: NamedObjects;
  /** The path that its forms post to. */
  action: string;
}

/** The kinds of alerts about the store, which only name what happened. */
const STORE_KINDS = ["disk_full", "store_changed", "store_silent"];

/** The texts of kinds that say more than what their reports name. */
const BODIES: Readonly<Record<string, (props: BodyProps) => ComponentChildren>> = {
  mail_failed: MailBody,
  bank_rejected: BankBody,
  bank_unreachable: BankBody,
  balance_low: BalanceBody,
  payment_failed: PaymentBody,
  chain_failed: ChainBody,
  push_failed: PushBody,
  webhook_paused: WebhookBody,
  secrets_invalid: SecretsBody,
  sender_refused: SenderBody,
  mail_returned: ReturnedBody,
  log_forked: ForkBody,
  witness_lost: LostWitnessBody,
  log_refused: RefusedBody,
  issuer_domain: DomainBody,
  domain_checks: DomainChecksBody,
  also_registered: AlsoRegisteredBody,
  api_key_revoked: RevokedKeyBody,
  api_key_unusual: UnusualKeyBody,
  issuer_stopped: StoppedIssuerBody,
  ...Object.fromEntries(STORE_KINDS.map((kind) => [kind, StoreBody])),
  ...Object.fromEntries(Object.keys(HEALTH_ALERTS).map((kind) => [kind, HealthBody])),
};

/** The text of an alert, composed from its codes and the objects that it names. */
export function AlertBody(props: BodyProps) {
  const { kind } = props.alert;
  const Body = BODIES[kind] ?? PlainBody;
  return <Body {...props} />;
}

function PlainBody({ alert, objects }: BodyProps) {
  return <Reports alert={alert}>{({ links }) => <Owner links={links} objects={objects} />}
  </Reports>;
}

function MailBody({ alert, objects, action }: BodyProps) {
  const reason = String(alert.reports[0]?.details.reason ?? alert.problem);
  const failure = MAIL_FAILURES[reason];
  const mails = alert.reports.filter(({ links }) => objects.mails.has(links.mail ?? "")).length;
  return (
    <>
      <p>
        {failure ?? (
          <>
            The site had an error: <code>{reason}</code>
          </>
        )}
      </p>
      <Reports alert={alert}>
        {({ links, details }) => (
          <>
            <span>{capital(mailKindOf(details))}</span> <Owner links={links} objects={objects} />
            {objects.mails.has(links.mail ?? "")
              ? (
                <details class="end">
                  <summary>Send again</summary>
                  <SendForm alert={alert} action={action} mail={links.mail}>
                    Send the email now
                  </SendForm>
                </details>
              )
              : <span class="end muted">Can’t be sent again</span>}
          </>
        )}
      </Reports>
      {mails > 1 && (
        <details>
          <summary>Send {mails} emails again</summary>
          <SendForm alert={alert} action={action}>Send {mails} emails now</SendForm>
        </details>
      )}
    </>
  );
}

function ReturnedBody({ alert: { reports: [{ details, links }] } }: BodyProps) {
  const { batch, why } = details;
  return batch === undefined
    ? (
      <p>
        So much email came back within an hour that receivers may block the sender: {why}.{" "}
        <a href={MAIL_PATH}>See which, and why</a>.
      </p>
    )
    : (
      <p>
        Many emails of a batch came back.{" "}
        <a href={batchPath({ issuer: links.issuer!, id: String(batch) })}>
          See which, and decide about the rest if there is one
        </a>.
      </p>
    );
}

/** Asks first, because a mail cannot be taken back. */
const SendForm = ({ alert, action, mail, children }: {
  alert: Alert;
  action: string;
  /** Default: all mails of the alert. */
  mail?: string;
  children: ComponentChildren;
}) => (
  <form method="post" action={action}>
    <p class="muted">An email that was sent can’t be taken back.</p>
    <input type="hidden" name="alert" value={formatPosition(alert)} />
    {mail !== undefined && <input type="hidden" name="mail" value={mail} />}
    <button type="submit" class="button small" name="act" value="send">{children}</button>
  </form>
);

const mailKindOf = ({ mail }: AlertReport["details"]): string =>
  mail === undefined ? "mail" : MAIL_KINDS[mail as keyof typeof MAIL_KINDS] ?? String(mail);

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const BANK_ERRORS: Readonly<Record<string, string>> = {
  auth_failed: "The bank rejected the API token. If this continues, configure a new token.",
  rate_limited: "The bank limited requests.",
  network_error: "The bank could not be reached, or did not respond in time.",
  invalid_response: "The bank sent a response that could not be read.",
  not_found: "The bank does not have the resource.",
  upstream_error: "The bank returned an error.",
};

function BankBody({ alert: { reports: [{ details }], state, by, changed_at } }: BodyProps) {
  const since = formatDateTime(String(details.since));
  const hasEnded = state === "done" && by === null && changed_at !== null;
  return (
    <p>
      {hasEnded
        ? <>The bank’s accounts could not be read from {since} to {formatDateTime(changed_at)}.</>
        : <>The bank’s accounts have not been readable since {since}.</>}{" "}
      {BANK_ERRORS[String(details.error)] ?? ""} <a href="/console/finance">Finance</a>
    </p>
  );
}

function StoreBody({ alert: { state } }: BodyProps) {
  return (
    <p>
      {state === "done" ? "This has ended." : "Until it ends, the site accepts no changes."}{" "}
      <a href="/runbook">What it means, and what to do first</a>
    </p>
  );
}

function SecretsBody({ alert: { reports: [{ details }], state } }: BodyProps) {
  return state === "done"
    ? <p>A secret file was not valid. All secret files are valid now.</p>
    : (
      <p>
        A secret file is not valid (<code>{details.variables}</code>
        ), so the site still uses all values that it had before. The log says what each should be.
      </p>
    );
}

const SENDERS: Readonly<Record<string, string>> = {
  product: "MAIL_FROM",
  foundation: "FOUNDATION_MAIL_FROM",
  commercial: "COMMERCIAL_MAIL_FROM",
};

function SenderBody({ alert: { reports: [{ details }], state } }: BodyProps) {
  const variable = <code>{SENDERS[String(details.sender)]}</code>;
  return state === "done"
    ? <p>The mail server did not accept the sender {variable}. It accepts emails from it now.</p>
    : (
      <p>
        The mail server does not accept the sender {variable}
        {details.reply !== "" && (
          <>
            : it responded <code>{details.reply}</code>
          </>
        )}
        . The site tries again with every waiting email. Check the address and the permissions of
        the account at the mail server, and the SPF and DKIM records of its domain.
      </p>
    );
}

function ForkBody({ alert: { reports: [{ details: { origin, size, evidence } }] } }: BodyProps) {
  return (
    <p>
      <code class="anywhere">{origin}</code> has signed two different trees of size{" "}
      {size}. The witness countersigned only the first one.{" "}
      <a href={String(evidence)}>Both checkpoints</a>{" "}
      prove it to anybody who has the log’s key: ask its operator, and publish both.
    </p>
  );
}

function RefusedBody({ alert: { reports: [{ details }] } }: BodyProps) {
  const { witness, checkpoint, response } = details;
  return (
    <>
      <p>
        The witness <code class="anywhere">{witness}</code>{" "}
        has countersigned a different tree from the one in the store. The store was probably
        restored from a backup. Nothing is signed, and no record can be changed, until the log is
        recovered with <code>deno task log:recover</code>.
      </p>
      <details>
        <summary>What was submitted, and the response</summary>
        <pre class="alert-evidence above-3 flush anywhere"><code>{`${checkpoint}\n${response}`}</code></pre>
      </details>
    </>
  );
}

function LostWitnessBody({ alert: { reports: [{ details: { origin, size } }] } }: BodyProps) {
  return (
    <p>
      <code class="anywhere">{origin}</code> has a countersignature by our witness for size{" "}
      {size}, which is missing from the witness’s store. The store was lost or restored, so the
      witness has stopped signing. Start a new one with an empty store, another key and another
      name.
    </p>
  );
}

function DomainBody({ alert: { problem, reports: [{ details }], state } }: BodyProps) {
  const { domain, until, lost } = details;
  const name = <code class="anywhere">{domain}</code>;
  const end = formatDateTime(String(until));
  return (
    <p>
      {lost === "yes"
        ? <>Pages no longer show {name} as verified, because its proof is still missing.</>
        : state === "done"
        ? <>The proof of {name} was missing for some time.</>
        : (
          <>
            The proof of {name} is missing. Pages show the domain as verified until {end}.
          </>
        )} <a href={`/console/issuers/${problem}/settings#domain`}>Issuer</a>
    </p>
  );
}

function DomainChecksBody({ alert: { reports: [{ details }], state } }: BodyProps) {
  return (
    <p>
      {state === "done"
        ? "For some time, no issuer’s domain could be checked."
        : `All ${details.count} domains that were due failed the check at the same time, so ` +
          "no result was saved. Check this site’s DNS resolver and network. The job tries again " +
          "every hour; “Check now” on an issuer’s page saves what it finds."}{" "}
      <a href="/console/issuers">Issuers</a>
    </p>
  );
}

function AlsoRegisteredBody({ alert: { reports: [{ details }] } }: BodyProps) {
  const { first, first_domain, first_issuer, other, domain, other_issuer } = details;
  const named = (name: unknown, domain: unknown, id: unknown) => (
    <>
      {id === undefined ? String(name) : <a href={`/console/issuers/${id}`}>{String(name)}</a>}{" "}
      ({String(domain ?? "no verified domain")})
    </>
  );
  return (
    <p>
      {named(first, first_domain, first_issuer)} and {named(other, domain, other_issuer)}{" "}
      have registered the same file; {first}{" "}
      was first. A check shows both. Ask both why. Suspend an issuer that claims the other’s
      documents as its own, or says that they are not genuine.
    </p>
  );
}

function RevokedKeyBody({ alert: { reports: [{ links, details }] } }: BodyProps) {
  return (
    <p>
      {details.how === "key"
        ? "Somebody has submitted an API key for revocation, so it has probably leaked. "
        : "The issuer has revoked an API key with the link in an email. "}
      <code>{details.key}</code>{" "}
      no longer works. Ask the issuer which documents it did not issue, replace or withdraw itself,
      and give it a new key. <a href={`/console/issuers/${links.issuer}/keys#keys`}>Keys</a> ·{" "}
      <a href={`/console/issuers/${links.issuer}/keys#webhooks`}>Webhooks</a>
    </p>
  );
}

function UnusualKeyBody({ alert: { reports: [{ links, details }] } }: BodyProps) {
  const issuer = `/console/issuers/${links.issuer}`;
  return (
    <p>
      The API key <code>{details.key}</code> {details.what === "network"
        ? `is older than ${inDays(LEARNING_MS)} and was used from a new network.`
        : `has withdrawn more than ${MOST_WITHDRAWN} documents within an hour.`}{" "}
      If the issuer has a contact, we have emailed it links that revoke the key and stop everything.
      If the issuer does not know of this use,{" "}
      <a href={`${issuer}/keys#keys`}>revoke the key</a>, or{" "}
      <a href={`${issuer}/settings#state`}>suspend the issuer</a>{" "}
      until it is cleared up: its programs can then read, but not change anything.
    </p>
  );
}

function StoppedIssuerBody({ alert: { reports: [{ links, details }] } }: BodyProps) {
  const issuer = `/console/issuers/${links.issuer}`;
  const keys = Number(details.keys);
  return (
    <p>
      The contact of an issuer has stopped everything with the link in an email, so a key has
      probably leaked. {plural(keys, "API key was", "API keys were")}{" "}
      revoked, the issuer is suspended, and its webhooks are paused. Ask it which documents it did
      not issue, replace or withdraw itself. Then{" "}
      <a href={`${issuer}/settings#state`}>make it active again</a>,{" "}
      <a href={`${issuer}/keys#keys`}>create new keys</a> and{" "}
      <a href={`${issuer}/keys#webhooks`}>resume its webhooks</a>.
    </p>
  );
}

function HealthBody({ alert: { reports: [{ details }], state } }: BodyProps) {
  const { name, found, at } = details;
  const text = `${found}${at === undefined ? "" : `, ${formatDateTime(String(at))}`}`;
  return (
    <p>
      {name}: {text.replace(/\.$/, "")}.{" "}
      {state === "done" ? "This is what the first check found. " : ""}
      <a href="/console/infra">Infrastructure</a>
    </p>
  );
}

function BalanceBody({ alert: { reports: [{ details, at }] } }: BodyProps) {
  const { name, last4, balance, below } = details;
  return (
    <p>
      {name || "The account"} <AccountNumber last4={String(last4)} /> had {dollars(Number(balance))}
      {" "}
      on {formatDateTime(at)}, less than its limit of {dollars(Number(below))}.{" "}
      <a href="/console/finance">Finance</a> · <a href="/console/finance/limits">Limits</a>
    </p>
  );
}

function PaymentBody({ alert: { problem }, objects }: BodyProps) {
  const payment = objects.payments.get(problem);
  if (payment === undefined) {
    return <p>A payment failed. The payment is no longer stored.</p>;
  }
  const { amount, currency, record } = payment;
  const status = statusOf(payment);
  return (
    <p>
      A payment of {formatMoney(amount, currency)} failed.{" "}
      {status !== "failed" && <>Its status is now “{STATUS_LABELS[status]}”.</>}{" "}
      <a href={paymentPath(payment.id)}>
        Payment <code>{payment.id}</code>
      </a>{" "}
      {record !== null && <Owner links={{ record }} objects={objects} />}
    </p>
  );
}

function WebhookBody({ alert: { problem, reports: [{ links, details }], state } }: BodyProps) {
  const { reason, error, mode, issuer } = details;
  return (
    <p>
      {reason === "gone"
        ? <>The server of {issuer} has asked us to stop sending it events (410 Gone).</>
        : <>The server of {issuer} has not accepted the events of its documents for three days.</>}
      {" "}
      {POST_ERRORS[error as PostError] ?? ""} {state === "done"
        ? "Its webhook was paused, and has been resumed or removed since."
        : "Its webhook is paused until the issuer or an administrator resumes it."}{" "}
      <a href={`/console/issuers/${links.issuer}/keys#webhook-${problem}`}>
        Webhook{mode === "test" ? " for tests" : ""}
      </a>
    </p>
  );
}

const CHAIN_FAULTS: Readonly<Record<string, string>> = {
  bad_event: "an event is malformed",
  bad_seq: "an event is missing or in the wrong place",
  bad_prev: "an event is not linked to the one before it",
  bad_hash: "an event was changed: its hash does not match",
  bad_head: "the signed head is malformed",
  unknown_key: "none of the published keys has signed the head",
  bad_signature: "the signature of the head is wrong",
  bad_origin: "the head belongs to another record or host",
  truncated: "events are missing at the end",
  bad_tip: "the head covers different events",
  no_head: "the signed head is missing",
  unsigned: "there are events that the signed head does not cover",
};

function ChainBody({ alert, objects }: BodyProps) {
  return (
    <>
      <p>
        The nightly check found a stored chain that does not verify, so readers of the record see
        that it is not valid. Compare the store with a backup.
      </p>
      <Reports alert={alert}>
        {({ links, details: { code, seq } }) => (
          <>
            <Owner links={links} objects={objects} />
            <span>
              {CHAIN_FAULTS[String(code)] ?? String(code)}
              {seq !== undefined && ` (event ${seq})`}
            </span>
          </>
        )}
      </Reports>
    </>
  );
}

function PushBody({ alert, objects }: BodyProps) {
  const { reason = alert.problem, platform } = alert.reports[0]?.details ?? {};
  return (
    <>
      <p>
        {platform !== undefined && (
          <>Notifications through {PUSH_SERVICES[platform as PushPlatform]}:{" "}</>
        )}
        {PUSH_FAILURES[reason] ?? (
          <>
            The push service rejected them: <code>{reason}</code>
          </>
        )}
      </p>
      <Reports alert={alert}>
        {({ links, details: { kind } }) => (
          <>
            {kind !== undefined && <span>“{PUSHES[kind as PushKind].text}”</span>}{" "}
            <Owner links={links} objects={objects} />
          </>
        )}
      </Reports>
    </>
  );
}

/** The number of reports that are shown before the others are collapsed. */
const SHOWN = 5;

/** The latest reports of an alert, newest first. */
function Reports(
  { alert: { reports }, children }: {
    alert: Alert;
    children: (report: AlertReport) => ComponentChildren;
  },
) {
  const list = (some: readonly AlertReport[]) => (
    <ul class="alert-reports">
      {some.map((report) => (
        <li class="cluster wraps gap-1-4 ruled" key={report.at + JSON.stringify(report.links)}>
          <Time class="muted" at={report.at} />
          {children(report)}
        </li>
      ))}
    </ul>
  );
  const rest = reports.slice(SHOWN);
  return (
    <>
      {list(reports.slice(0, SHOWN))}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} earlier</summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}

/** Links to the record or user that a report names, unless it was deleted. */
function Owner({ links: { record, user }, objects }: { links: AlertLinks; objects: NamedObjects }) {
  if (record !== undefined) {
    const text = (
      <>
        Record <code>{record.slice(0, 8)}…</code>
      </>
    );
    return objects.records.has(record)
      ? <a href={`/console/records/${record}`}>{text}</a>
      : <span class="muted">{text} (deleted)</span>;
  }
  if (user === undefined) return null;
  return objects.users.has(user)
    ? <a href={`/console/users/${user}`}>User {user}</a>
    : <span class="muted">User {user} (deleted)</span>;
}
