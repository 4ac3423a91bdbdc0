/** The page `/console/mail`, where administrators look up the delivery of mails and unblock addresses. */
import {
  type AddressMails,
  LATELY_MS,
  type ListedMail,
  MAIL_PATH,
  MOST_MAILS,
} from "../../lib/features/mail_reports/mail.ts";
import { inHours, plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { SearchBar } from "../FilterBar.tsx";
import { Time } from "../Time.tsx";
import { MailList } from "./MailList.tsx";
import { Card, PageHead } from "../console_parts.tsx";

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
        lead="Mail of the last 90 days that did not arrive, with the reason. Search for an address to see every email to it."
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
              No email to this address was sent in the last 90 days. Somebody who asks for a sign-in
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
  if (known === null) {
    return <p>Mail goes to this address: refusals by its server no longer count.</p>;
  }
  const { refused_at, refusals, reply, complained_at } = known;
  return (
    <>
      <p>
        {stopped === "all"
          ? "No email goes to this address, because its server has refused it."
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
          A person’s own email is tried again a day after the first refusal. After a second one, it
          stops for good.
        </p>
      )}
      <form method="post" action={MAIL_PATH}>
        <input type="hidden" name="act" value="works" />
        <input type="hidden" name="address" value={fingerprints.join(",")} />
        <p>
          If its owner tells you that it works, email can go to it again; then ask them to request
          the email again, or email a document again on its page. Mail to addresses that do not work
          gets the sender blocked.
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
            refused for good, so email to them stopped.
          </p>
          <details class="choice">
            <summary class="button">They all work…</summary>
            <form method="post" action={MAIL_PATH}>
              <input type="hidden" name="act" value="all_work" />
              <p>
                Only if a mail server refused good addresses by mistake: email goes to all of them
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
          ? <p>All email of the last 90 days was accepted, as far as servers have reported.</p>
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
