/** The workbench page `/dev/push`, which tests notifications without phones. */
import type { PushInbox, StandInPhone, StandInPush } from "../../lib/features/push/stand_in.ts";
import type { InboxFrame } from "../../lib/features/workbench/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { InboxPage, Message } from "./InboxPage.tsx";
import { StandInActions } from "./StandInActions.tsx";

/** The notifications at the stand-in for the push services, and phones to register. */
export function PushInboxPage(
  { inbox: { pushes, outage, phones }, signedIn, frame }: {
    inbox: PushInbox;
    /** True if a record is open in this browser, on the workbench's host. */
    signedIn: boolean;
    frame: InboxFrame;
  },
) {
  return (
    <InboxPage
      of="push"
      title="Notifications"
      lead={
        <>
          Notifications that would have been sent to phones. They are kept here until the process
          ends. Set the variables <code>PUSH_*</code> to send them.
        </>
      }
      frame={frame}
      aside={
        <>
          <StandInActions
            path="/dev/push"
            outage={outage}
            notice="The services accept no notification."
          />
          <h2>Phones</h2>
          <p class="muted">
            {signedIn ? "Add a phone to the record that is open in this browser." : (
              <>
                To add a phone to a record, <a href="/my-record">sign in to it on this host</a>.
              </>
            )}
          </p>
          <ul class="inbox-phones">
            {[...Map.groupBy(phones, (phone) => phone.behaviour)].map(([behaviour, alike]) => (
              <li class="ruled" key={behaviour}>
                <p class="flush muted">{behaviour}</p>
                {alike.map((phone) => (
                  <Phone
                    key={phone.token}
                    phone={phone}
                    signedIn={signedIn}
                  />
                ))}
              </li>
            ))}
          </ul>
        </>
      }
    >
      {pushes.length === 0 && (
        <StateNote kind="empty" title="No notifications yet">
          <p>Add a phone to a record, then send a test from “My record”.</p>
        </StateNote>
      )}
      {pushes.map((push, i) => (
        <Push key={push.at + push.device} push={push} id={pushes.length - i} newest={i === 0} />
      ))}
    </InboxPage>
  );
}

function Push({ push, id, newest }: { push: StandInPush; id: number; newest: boolean }) {
  const { at, service, device, text, seq, response, replaced } = push;
  return (
    <Message
      id={String(id)}
      newest={newest}
      title={text ?? "Rejected"}
      to={
        <>
          {service}, <code>{shorten(device)}</code>
        </>
      }
      at={at}
    >
      <p>
        Response: <code>{response}</code>
        {seq !== null && <>. Event: seq {seq}</>}
      </p>
      {replaced && <p class="muted">A later notification replaced it on the device.</p>}
    </Message>
  );
}

function Phone({ phone: { platform, token }, signedIn }: {
  phone: StandInPhone;
  signedIn: boolean;
}) {
  return (
    <div class="inbox-phone cluster gap-3 apart text-small">
      <span>
        {platform === "ios" ? "iPhone" : "Android"} <code>{shorten(token)}</code>
      </span>
      {signedIn && (
        <form method="post" action="/dev/push">
          <input type="hidden" name="act" value="register" />
          <input type="hidden" name="platform" value={platform} />
          <input type="hidden" name="token" value={token} />
          <button type="submit" id={`add-${token}`} class="button small">Add</button>
        </form>
      )}
    </div>
  );
}

const shorten = (token: string): string =>
  token.length <= 16 ? token : `${token.slice(0, 12)}…${token.slice(-4)}`;
