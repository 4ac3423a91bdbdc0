/** The workbench page `/dev/webhooks`, with the events that issuers' webhooks were sent. */
import { type DeliveryRow, POST_ERRORS, type PostError } from "../../lib/features/webhooks/mod.ts";
import type { InboxFrame } from "../../lib/features/workbench/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { InboxPage, Message } from "./InboxPage.tsx";

/** The deliveries to the webhooks of all issuers. */
export function WebhookInbox({ deliveries, frame }: {
  deliveries: readonly (DeliveryRow & { url: string })[];
  frame: InboxFrame;
}) {
  return (
    <InboxPage
      of="webhooks"
      title="Webhooks"
      lead={
        <>
          The events that were sent to webhooks, and how each ended. In development, a webhook can
          be on this machine: <code>http://localhost:3000/events</code>.
        </>
      }
      frame={frame}
    >
      {deliveries.length === 0 && (
        <StateNote kind="empty" title="No events yet">
          <p>Add a webhook with a test key, then ask for a test event.</p>
        </StateNote>
      )}
      {deliveries.map((delivery, i) => (
        <Message
          key={delivery.id + delivery.endpoint}
          id={String(deliveries.length - i)}
          newest={i === 0}
          title={delivery.type}
          to={`To ${delivery.url}: ${outcomeOf(delivery)}`}
          at={delivery.created_at}
        >
          {delivery.error !== null && (
            <p class="below-3">{POST_ERRORS[delivery.error as PostError] ?? delivery.error}</p>
          )}
          <p class="muted below-3">
            <code>webhook-id: {delivery.id}</code>
          </p>
          <pre class="pad-4 rounded anywhere">{pretty(delivery.body)}</pre>
        </Message>
      ))}
    </InboxPage>
  );
}

function outcomeOf({ state, status, attempts }: DeliveryRow): string {
  if (state === "held") return "held";
  const response = status === null ? "no response" : `status ${status}`;
  return `${state}, ${response}, attempt ${attempts}`;
}

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
