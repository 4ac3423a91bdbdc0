import { Head } from "fresh/runtime";
import type { PushInboxView, StandInPhone, StandInPush } from "../../lib/push/stand_in.ts";
import { formatDateTime } from "../../lib/time.ts";
import { StateNote } from "../StateNote.tsx";
import { StandInActions } from "./StandInActions.tsx";

/** The notifications at the stand-in for the push services, and phones to register. */
export function PushInboxPage(
  { view: { pushes, outage, phones }, signedIn }: { view: PushInboxView; signedIn: boolean },
) {
  return (
    <section class="prose">
      <Head>
        <title>Notifications</title>
      </Head>
      <p class="eyebrow">Development</p>
      <h1>Notifications</h1>
      <p class="lead">
        Notifications are kept here until the process ends. Set the variables <code>PUSH_*</code>
        {" "}
        to send them.
      </p>
      <StandInActions
        path="/dev/push"
        outage={outage}
        notice="The services respond to every request with 503."
      />
      {pushes.length === 0 && (
        <StateNote kind="empty" title="No notifications yet">
          <p>Add a phone below, then send a test from “My record”.</p>
        </StateNote>
      )}
      {pushes.map((push) => <Push key={push.at + push.device} push={push} />)}
      <h2>Phones</h2>
      {signedIn ? <p>Add a phone to the record that is open in this browser.</p> : (
        <p>
          To add a phone to a record, <a href="/my-record">sign in to it on this host</a>.
        </p>
      )}
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Phone</th>
            <th scope="col">What happens to notifications</th>
            {signedIn && <th scope="col">Action</th>}
          </tr>
        </thead>
        <tbody>
          {phones.map((phone) => <Phone key={phone.token} phone={phone} signedIn={signedIn} />)}
        </tbody>
      </table>
    </section>
  );
}

function Push({ push: { at, service, device, text, seq, response, replaced } }: {
  push: StandInPush;
}) {
  return (
    <article class="card mail">
      <h3>{text ?? "Rejected"}</h3>
      <dl class="facts even">
        <dt>Time</dt>
        <dd>
          <time dateTime={at}>{formatDateTime(at)}</time>
        </dd>
        <dt>To</dt>
        <dd>
          {service}, <code>{shorten(device)}</code>
        </dd>
        {seq !== null && (
          <>
            <dt>Event</dt>
            <dd>seq {seq}</dd>
          </>
        )}
        <dt>Response</dt>
        <dd>{response}</dd>
      </dl>
      {replaced && <p>A later notification replaced it on the device.</p>}
    </article>
  );
}

function Phone({ phone: { platform, token, behaviour }, signedIn }: {
  phone: StandInPhone;
  signedIn: boolean;
}) {
  return (
    <tr>
      <td>
        {platform === "ios" ? "iPhone" : "Android"} <code>{shorten(token)}</code>
      </td>
      <td>{behaviour}</td>
      {signedIn && (
        <td>
          <form method="post" action="/dev/push">
            <input type="hidden" name="act" value="register" />
            <input type="hidden" name="platform" value={platform} />
            <input type="hidden" name="token" value={token} />
            <button type="submit" class="button small">Add</button>
          </form>
        </td>
      )}
    </tr>
  );
}

const shorten = (token: string): string =>
  token.length <= 16 ? token : `${token.slice(0, 12)}…${token.slice(-4)}`;
