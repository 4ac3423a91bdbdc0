/** The section about webhooks on an issuer's page: their state, latest deliveries, and pausing or removing them. */
import {
  type DeliveryRow,
  type EndpointRow,
  isFailing,
  placeOf,
  POST_ERRORS,
  type PostError,
} from "../../lib/features/webhooks/mod.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { Time } from "../Time.tsx";
import { IssuerForm, refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection, IssuerView } from "./section.ts";

/** How many deliveries of each webhook the page shows. */
const LATEST = 5;

interface Webhook {
  endpoint: EndpointRow;
  /** The newest first. */
  deliveries: DeliveryRow[];
}

/** The webhooks of an issuer, which it adds through the API. */
export const webhooksSection: IssuerSection<Webhook[]> = {
  id: "webhooks",
  title: "Webhooks",
  async read({ id, state: { services: { webhooks }, surface } }) {
    if (surface.organisation !== "commercial") return [];
    const lists = await Promise.all(
      (["live", "test"] as const).map((mode) => webhooks.list({ issuer: id, mode })),
    );
    return await Promise.all(
      lists.flat().map(async (endpoint) => {
        const read = await webhooks.deliveries(endpoint, LATEST);
        return { endpoint, deliveries: read.ok ? read.deliveries : [] };
      }),
    );
  },
  show(view, webhooks) {
    if (view.issuer.organisation !== "commercial") return null;
    const guide = view.state.services.surfaces.url("api", "/docs/issuing-webhooks");
    return webhooks.length === 0
      ? (
        <p class="muted">
          None yet. The issuer{" "}
          {guide === null ? "adds webhooks" : <a href={guide}>adds webhooks</a>}{" "}
          through the API, with a key that may change them.
        </p>
      )
      : (
        <ul class="plain stack gap-4">
          {webhooks.map((each, i) => (
            <WebhookItem key={each.endpoint.id} view={view} isFirst={i === 0} {...each} />
          ))}
        </ul>
      );
  },
};

function WebhookItem(
  { view, isFirst, endpoint, deliveries }: Webhook & { view: IssuerView; isFirst: boolean },
) {
  const { id, mode, url, description, events, created_at } = endpoint;
  const fields = { webhook: id, mode };
  const isPaused = endpoint.state === "paused";
  return (
    <li
      id={`webhook-${id}`}
      class={isFirst ? "stack gap-2 anywhere" : "stack gap-2 anywhere ruled pad-top-4"}
    >
      <h3 class="flush">
        {placeOf(url)} <StatePill endpoint={endpoint} />{" "}
        {mode === "test" && <span class="pill">Tests</span>}
      </h3>
      <p class="flush muted text-small">
        {description !== null && <>{description} ·{" "}</>}
        {events === null ? "All events" : events.join(", ")} · added on <Time at={created_at} day />
      </p>
      <Problem endpoint={endpoint} />
      <Deliveries deliveries={deliveries} />
      <div class="actions">
        {isPaused
          ? <IssuerForm view={view} act="resume_webhook" fields={fields} submit="Resume" />
          : <IssuerForm view={view} act="pause_webhook" fields={fields} submit="Pause" />}
        <details
          class="choice"
          open={refusedForm(view, "remove_webhook", fields) !== undefined}
        >
          <summary class="button">Remove</summary>
          <p>
            The issuer’s server receives no more events, and those that are waiting are deleted.
            Removing can’t be undone.
          </p>
          <IssuerForm
            view={view}
            act="remove_webhook"
            fields={fields}
            submit="Remove this webhook"
            tone="danger"
          />
        </details>
      </div>
    </li>
  );
}

function StatePill({ endpoint }: { endpoint: EndpointRow }) {
  if (endpoint.state === "paused") return <span class="pill bad">Paused</span>;
  if (isFailing(endpoint)) return <span class="pill warn">Failing</span>;
  return <span class="pill good">Active</span>;
}

const PAUSED: Record<NonNullable<EndpointRow["reason"]>, string> = {
  gone: "Its server responded with 410 (Gone), so we stopped sending events.",
  failing: "It has not accepted an event for three days.",
  issuer: "The issuer has paused it.",
  own_machine: "It is on the issuer’s own machine. The issuer’s program fetches the deliveries.",
  administrator: "An administrator has paused it.",
};

function Problem({ endpoint }: { endpoint: EndpointRow }) {
  const { state, state_at, reason, failing_since } = endpoint;
  if (state === "paused") {
    return (
      <p class="flush">
        {reason !== null && PAUSED[reason]} Paused on{" "}
        {formatDateTime(state_at)}. Its events are kept for at most 30 days, and are sent once it is
        resumed.
      </p>
    );
  }
  return failing_since === null ? null : (
    <p class="flush">
      It has not accepted an event since{" "}
      {formatDateTime(failing_since)}. After three days, it is paused.
    </p>
  );
}

const STATES: Record<DeliveryRow["state"], { text: string; pill: string }> = {
  delivered: { text: "Delivered", pill: "good" },
  retrying: { text: "Retrying", pill: "warn" },
  failed: { text: "Failed", pill: "bad" },
  held: { text: "Waiting", pill: "" },
};

function Deliveries({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  if (deliveries.length === 0) return <p class="flush muted">No events yet.</p>;
  return (
    <details>
      <summary>Latest events</summary>
      <ul class="record-rows">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="stack baseline gap-0-4 ruled anywhere">
            <span>
              <code>{delivery.type}</code>
              <span class={`pill ${STATES[delivery.state].pill}`}>
                {STATES[delivery.state].text}
              </span>
            </span>
            <Time class="muted text-small" at={delivery.created_at} />
            <span class="muted">{outcomeOf(delivery)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function outcomeOf(
  { attempts, status, error, latency_ms, next_attempt_at }: DeliveryRow,
): string {
  if (attempts === 0) return "Not sent yet";
  const parts = [
    attempts === 1 ? "1 attempt" : `${attempts} attempts`,
    status !== null && `status ${status}`,
    latency_ms !== null && `${latency_ms} ms`,
    next_attempt_at !== null && `next on ${formatDateTime(next_attempt_at)}`,
    error !== null && POST_ERRORS[error as PostError],
  ];
  return parts.filter(Boolean).join(" · ");
}
