/** The workbench page `/dev/payments`, which tests consoles without a payment provider. */
import { asset, Head } from "fresh/runtime";
import { type SentEvent, STAND_IN_ACTIONS } from "../../lib/features/payments/mod.ts";
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";

/** Sends events as a payment provider would, and lists those that were sent. */
export function PaymentEvents({ sent }: { sent: readonly SentEvent[] }) {
  return (
    <section>
      <Head>
        <title>Payment events</title>
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/workbench.css")} />
      </Head>
      <p class="eyebrow">
        <a href="/">Workbench</a>
      </p>
      <h1>Payment events</h1>
      <p class="lead">
        The stand-in signs these events and sends them to a console’s webhook. The payments then
        appear at <code>/console/payments</code>.
      </p>
      <div class="payment-events above-5 stack gap-6 top">
        <form method="post" action="/dev/payments">
          <Field name="organisation" label="Console">
            {(control) => (
              <select {...control}>
                <option value="commercial">Commercial</option>
                <option value="foundation">Foundation</option>
              </select>
            )}
          </Field>
          <Field
            name="record"
            label="Record"
            hint="Optional. The hash of the record that the payment is for."
          >
            {(control) => <input {...control} type="text" autocomplete="off" />}
          </Field>
          <div class="actions column">
            {STAND_IN_ACTIONS.map(([action, text]) => (
              <button key={action} type="submit" class="button" name="act" value={action}>
                {text}
              </button>
            ))}
          </div>
        </form>
        <div>
          <h2 class="text-large">Sent</h2>
          {sent.length === 0
            ? (
              <StateNote kind="empty" title="No events yet">
                <p>Choose an event to send.</p>
              </StateNote>
            )
            : (
              <div
                class="table-scroll"
                role="region"
                aria-label="Events that were sent"
                tabindex={0}
              >
                <table class="table">
                  <thead>
                    <tr>
                      <th scope="col">Time</th>
                      <th scope="col">Console</th>
                      <th scope="col">Event</th>
                      <th scope="col">Response</th>
                    </tr>
                  </thead>
                  <tbody>
                    {sent.map(({ at, organisation, what, status }, i) => (
                      <tr key={i}>
                        <td>
                          <Time at={at} />
                        </td>
                        <td>{organisation}</td>
                        <td>{what}</td>
                        <td>{status}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
        </div>
      </div>
    </section>
  );
}
