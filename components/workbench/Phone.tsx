/** The workbench page `/dev/phone`, with the codes that development does not send. */
import type { InboxEntry, InboxView } from "../../lib/features/codes/providers/mod.ts";
import type { InboxFrame } from "../../lib/features/workbench/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { InboxPage, Message } from "./InboxPage.tsx";
import { StandInActions } from "./StandInActions.tsx";

/** The messages and calls at the stand-in for the provider of codes. */
export function Phone(
  { view: { entries, outage, numbers }, frame }: { view: InboxView; frame: InboxFrame },
) {
  return (
    <InboxPage
      of="phone"
      title="Phone"
      lead={
        <>
          Text messages and calls that would have been sent. They are kept here until the process
          ends. Set <code>CODE_PROVIDER</code> to send them.
        </>
      }
      frame={frame}
      aside={
        <>
          <StandInActions
            path="/dev/phone"
            outage={outage}
            notice="The provider responds to every request with 503."
          />
          <h2>Numbers with a fixed behaviour</h2>
          <p class="muted">Messages to all other numbers are delivered.</p>
          <dl class="inbox-facts">
            {numbers.map(({ number, behaviour }) => (
              <>
                <dt class="mono above-3">{number}</dt>
                <dd class="muted">{behaviour}</dd>
              </>
            ))}
          </dl>
        </>
      }
    >
      {entries.length === 0 && (
        <StateNote kind="empty" title="No messages yet">
          <p>
            Request a code on <a href="/my-record">My record</a>.
          </p>
        </StateNote>
      )}
      {entries.map((entry, i) => <Entry key={entry.id} entry={entry} newest={i === 0} />)}
    </InboxPage>
  );
}

function Entry({ entry, newest }: { entry: InboxEntry; newest: boolean }) {
  const { id, at, to, channel, body, transcript, status, waiting, callbacks } = entry;
  return (
    <Message
      id={id}
      newest={newest}
      title={channel === "sms" ? "Text message" : "Call"}
      to={`To ${to}`}
      at={at}
    >
      {body !== null && <pre class="pad-4 below-3 rounded anywhere">{body}</pre>}
      {transcript.length > 0 && (
        <pre class="pad-4 below-3 rounded anywhere">{transcript.join("\n\n")}</pre>
      )}
      {waiting && (
        <form class="actions" method="post" action="/dev/phone">
          <input type="hidden" name="call" value={id} />
          <button type="submit" id={`press-${id}`} class="button primary" name="act" value="press">
            Press a key
          </button>
          <button type="submit" id={`ignore-${id}`} class="button" name="act" value="ignore">
            Press nothing
          </button>
        </form>
      )}
      <p class="muted below-3">
        Status: {status}
        {callbacks.length > 0 && <>. Callbacks: {callbacks.join(", ")}</>}
      </p>
    </Message>
  );
}
