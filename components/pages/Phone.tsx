import { Head } from "fresh/runtime";
import type { InboxEntry, InboxView } from "../../lib/codes/providers/mod.ts";
import { formatDateTime } from "../../lib/time.ts";
import { StateNote } from "../StateNote.tsx";
import { StandInActions } from "./StandInActions.tsx";

/** The messages and calls at the stand-in for the provider of codes. */
export function Phone({ view: { entries, outage, numbers } }: { view: InboxView }) {
  return (
    <section class="prose">
      <Head>
        <title>Phone</title>
      </Head>
      <p class="eyebrow">Development</p>
      <h1>Phone</h1>
      <p class="lead">
        Messages and calls are kept here until the process ends. Set <code>CODE_PROVIDER</code>{" "}
        to send them.
      </p>
      <StandInActions
        path="/dev/phone"
        outage={outage}
        notice="The provider responds to every request with 503."
      />
      {entries.length === 0 && (
        <StateNote kind="empty" title="No messages yet">
          <p>
            Request a code on <a href="/my-record">My record</a>.
          </p>
        </StateNote>
      )}
      {entries.map((entry) => <Entry key={entry.id} entry={entry} />)}
      <h2>Numbers with a fixed behaviour</h2>
      <p>Messages to all other numbers are delivered.</p>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map(({ number, behaviour }) => (
            <tr key={number}>
              <td class="mono">{number}</td>
              <td>{behaviour}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Entry({ entry }: { entry: InboxEntry }) {
  const { id, at, to, channel, body, transcript, status, waiting, callbacks } = entry;
  return (
    <article class="card mail">
      <h2>{channel === "sms" ? "SMS" : "Call"} to {to}</h2>
      <dl class="facts even">
        <dt>Time</dt>
        <dd>
          <time dateTime={at}>{formatDateTime(at)}</time>
        </dd>
        <dt>Status</dt>
        <dd>{status}</dd>
        {callbacks.length > 0 && (
          <>
            <dt>Callbacks</dt>
            <dd>{callbacks.join(", ")}</dd>
          </>
        )}
      </dl>
      {body !== null && <pre>{body}</pre>}
      {transcript.length > 0 && <pre>{transcript.join("\n\n")}</pre>}
      {waiting && (
        <form class="actions" method="post" action="/dev/phone">
          <input type="hidden" name="call" value={id} />
          <button type="submit" class="button primary" name="act" value="press">
            Press a key
          </button>
          <button type="submit" class="button" name="act" value="ignore">
            Press nothing
          </button>
        </form>
      )}
    </article>
  );
}
