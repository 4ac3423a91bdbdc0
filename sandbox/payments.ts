/** The payment provider's stand-in: it sends signed events to the site when the developer asks for them. */
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import type { SentEvent, StandInRequest } from "../lib/features/payments/stand_in.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import {
  type EventOptions,
  paymentEvent,
  type SignedEvent,
  signStandard,
  signStripe,
} from "./payment_events.ts";
import { between, createRandom, pick } from "./random.ts";

type Secrets = Record<OrganisationKey, readonly string[]>;

interface PaymentSandboxOptions {
  /** Configured secrets, which replace the stand-in's own. */
  configured?: Secrets;
  /** Returns the time in milliseconds since 1970. */
  clock?: () => number;
  /** Sends the events. Defaults to one that reaches the development surfaces. */
  fetch?: typeof fetch;
}

/** A running stand-in for a payment provider. */
export interface PaymentSandbox extends AsyncDisposable {
  url: string;
  /** The secrets that it signs with, the current one first. */
  secrets: Secrets;
  stop(): Promise<void>;
}

/** Fixed, so that a webhook works after a restart; valid in both schemes. */
const SECRETS: Secrets = {
  foundation: [`whsec_${btoa("sandbox foundation payments 0001")}`],
  commercial: [`whsec_${btoa("sandbox commercial payments 0001")}`],
};
const MAX_SENT = 100;
const PURPOSES = [
  "Certification, annual",
  "Registration of a record",
  "Issued documents",
  "Membership",
  "Audit of conformance",
  "Support, monthly",
];

const PAYERS = [
  ["Ada Example", "ada@payer.example"],
  ["Harbour Training Group", "accounts@harbour.example"],
  ["Northfield College", "finance@northfield.example"],
];

/**
 * Starts the stand-in for a payment provider: an HTTP server on the loopback address that sends
 * events to a webhook: valid ones, repeated, in another order, and forged. For development and tests
 * only.
 */
export function startPaymentSandbox(options: PaymentSandboxOptions = {}): PaymentSandbox {
  const { configured, clock = Date.now, fetch = createLocalFetch() } = options;
  const secrets: Secrets = {
    foundation: configured?.foundation.length ? configured.foundation : SECRETS.foundation,
    commercial: configured?.commercial.length ? configured.commercial : SECRETS.commercial,
  };
  const sent: SentEvent[] = [];
  const latest = new Map<string, Latest>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (req) => {
    const { pathname } = new URL(req.url);
    if (req.method === "GET" && pathname === "/sent") return Response.json(sent);
    if (req.method !== "POST" || pathname !== "/send") return new Response(null, { status: 404 });
    const request: StandInRequest = await req.json();
    const [secret] = secrets[request.organisation === "foundation" ? "foundation" : "commercial"];
    await ACTIONS[request.act](createSender({ request, secret, sent, latest, clock, fetch }));
    return new Response(null, { status: 204 });
  });
  const stop = () => server.shutdown();
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    secrets,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The latest valid event of an organisation. */
interface Latest {
  request: SignedEvent;
  what: string;
  event: EventOptions;
}

/** Sends the events of one request. */
interface Sender {
  request: StandInRequest;
  secret: string;
  /** The latest event of the request's organisation. */
  readonly latest: Latest | undefined;
  /** Returns the time in seconds since 1970. */
  seconds(): number;
  post(what: string, event: SignedEvent): Promise<void>;
  /** Signs and sends valid events in this order. */
  postValid(...events: EventOptions[]): Promise<void>;
}

function createSender({ request, secret, sent, latest, clock, fetch }: {
  request: StandInRequest;
  secret: string;
  sent: SentEvent[];
  latest: Map<string, Latest>;
  clock: () => number;
  fetch: typeof globalThis.fetch;
}): Sender {
  const { organisation, url, record } = request;
  const seconds = () => Math.floor(clock() / SECOND_MS);

  async function post(what: string, { headers, body }: SignedEvent) {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
    });
    await response.body?.cancel();
    const at = new Date(clock()).toISOString();
    sent.unshift({ at, organisation, what, status: response.status });
    sent.splice(MAX_SENT);
  }

  return {
    request,
    secret,
    seconds,
    post,
    get latest() {
      return latest.get(organisation);
    },
    async postValid(...events) {
      for (const options of events) {
        const event = { id: newId("evt"), record: record || undefined, ...options };
        const signed = signStripe(JSON.stringify(paymentEvent(event)), secret, seconds());
        const what = event.type ?? "payment_intent.succeeded";
        await post(what, signed);
        latest.set(organisation, { request: signed, what, event });
      }
    },
  };
}

const ACTIONS: Record<StandInRequest["act"], (sender: Sender) => Promise<void>> = {
  payment: (sender) => sender.postValid(...lifeOf(sender, "succeeded")),
  failed: (sender) => sender.postValid(...lifeOf(sender, "failed")),
  reorder: (sender) => sender.postValid(...lifeOf(sender, "succeeded").reverse()),
  unknown: (sender) => sender.postValid({ type: "customer.created", created: sender.seconds() }),
  refund,
  standard,
  duplicate,
  forge,
  year,
};

const newId = (kind: string) => `${kind}_${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;

/** The events of one payment, in the order in which they happen. */
function lifeOf({ seconds }: Sender, last: "succeeded" | "failed"): EventOptions[] {
  const since = seconds() - 30;
  const payment = newId("pi");
  const amount = 1_000 * between(Math.random, 1, 400);
  const description = pick(Math.random, PURPOSES);
  const [name, email] = pick(Math.random, PAYERS);
  const shared = { payment, amount, description, since, object: { customer: { name, email } } };
  const end = last === "succeeded"
    ? { type: "payment_intent.succeeded", status: "succeeded" }
    : { type: "payment_intent.payment_failed", status: "requires_payment_method" };
  return [
    { type: "payment_intent.created", status: "requires_payment_method" },
    { type: "payment_intent.processing", status: "processing" },
    end,
  ].map((event, i) => ({ ...shared, ...event, created: since + 10 * i }));
}

async function refund(sender: Sender): Promise<void> {
  const last = sender.latest?.event;
  if (last === undefined) return;
  const { payment, amount = 12_500, description, since } = last;
  await sender.postValid({
    type: "charge.refunded",
    payment: newId("ch"),
    amount,
    description,
    since,
    created: sender.seconds(),
    object: { payment_intent: payment, captured: true, amount_refunded: amount },
  });
  sender.latest!.event = last; // the next refund is of this payment too
}

async function standard({ request, secret, seconds, post }: Sender): Promise<void> {
  const created = seconds();
  const id = newId("msg");
  const object = {
    id: newId("pay"),
    amount: 4_900,
    currency: "eur",
    status: "succeeded",
    description: "Support, monthly",
    metadata: request.record === "" ? {} : { record: request.record },
  };
  const timestamp = new Date(created * SECOND_MS).toISOString();
  const body = JSON.stringify({ type: "payment.succeeded", timestamp, data: object });
  const event = signStandard(body, secret, { id, time: created });
  await post("payment.succeeded (Standard Webhooks)", event);
}

async function duplicate(sender: Sender): Promise<void> {
  if (sender.latest === undefined) await sender.postValid(lifeOf(sender, "succeeded")[2]);
  const last = sender.latest!;
  for (let i = 0; i < 5; i++) await sender.post(`${last.what} (again)`, last.request);
}

async function forge({ secret, seconds, post }: Sender): Promise<void> {
  const event = paymentEvent({ id: newId("evt"), created: seconds(), amount: 99_999_900 });
  const body = JSON.stringify(event);
  const good = signStripe(body, secret, seconds());
  const late = (ms: number) => signStripe(body, secret, seconds() + ms / SECOND_MS);
  await post("no signature", { headers: {}, body });
  await post("another secret", signStripe(body, "whsec_of_somebody", seconds()));
  await post("a changed body", { ...good, body: `${body} ` });
  await post("6 minutes old", late(-6 * MINUTE_MS));
  await post("6 minutes ahead", late(6 * MINUTE_MS));
  const v0 = good.headers["stripe-signature"].replace("v1=", "v0=");
  await post("only a v0 signature", { headers: { "stripe-signature": v0 }, body });
}

async function year({ request, seconds, postValid }: Sender): Promise<void> {
  const random = createRandom(request.organisation);
  const start = seconds() - 360 * DAY_MS / SECOND_MS;
  for (let i = 0; i < 120; i++) {
    const created = start + Math.floor((i + random()) * 3 * DAY_MS / SECOND_MS);
    const payment = newId("pi");
    const amount = 500 * between(random, 1, 900);
    const shared = { payment, amount, created, description: pick(random, PURPOSES) };
    const failed = { type: "payment_intent.payment_failed", status: "requires_payment_method" };
    const what = random();
    await postValid({ ...shared, ...what < 0.1 ? failed : {} });
    if (what < 0.9) continue;
    const object = {
      payment_intent: payment,
      captured: true,
      amount_refunded: pick(random, [amount, amount / 2]),
    };
    await postValid({
      ...shared,
      type: "charge.refunded",
      payment: newId("ch"),
      created: created + DAY_MS / SECOND_MS,
      since: created,
      object,
    });
  }
}
