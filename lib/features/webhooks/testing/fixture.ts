/** A fixture for tests of webhooks, with a controllable clock and receiving server. */
import { parseConfig } from "../../../app/config.ts";
import { type HttpsServer, openHttpsServer } from "../../../platform/http/testing/https_server.ts";
import { unwrap } from "../../../platform/http/errors.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { createDevOutbox, createMailer, type DevOutboxMail } from "../../../platform/mail/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import type { Count } from "../../../platform/telemetry/mod.ts";
import { alertRows } from "../../alerts/store.ts";
import { modeOf } from "../../documents/mod.ts";
import type { IssuerRow } from "../../issuers/mod.ts";
import {
  createWebhooks,
  type DeliveryRow,
  type EndpointCreator,
  type EndpointRef,
  type EndpointRow,
  newEndpointSchema,
  type WebhookEventType,
  type Webhooks,
} from "../mod.ts";

/** A request that the issuer's server received. */
interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Webhooks with a clock and an issuer's server that the test controls. */
export interface WebhooksFixture extends AsyncDisposable {
  kv: Deno.Kv;
  clock: { now: number };
  server: HttpsServer;
  received: Received[];
  webhooks: Webhooks;
  /** Creates webhooks on the same store, as another process does. */
  another(): Webhooks;
  /** The status of the response. Default: 200. */
  respond: (request: Received) => Response | Promise<Response>;
  issuer: IssuerRow;
  counted: string[];
  logged: unknown[];
  /** Adds an endpoint at a path of the server. */
  create(
    input?: { path?: string; events?: WebhookEventType[] },
    owner?: EndpointCreator,
  ): Promise<EndpointRow & { secret: string }>;
  /** Commits an event of a document and sends it, unless the process dies after the commit. */
  emit(options?: Partial<EmitOptions>): Promise<void>;
  /** Lets time pass and sends what is due then. */
  pass(ms: number): Promise<void>;
  read(ref: EndpointRef): Promise<EndpointRow>;
  list(ref: EndpointRef): Promise<DeliveryRow[]>;
  /** The kinds and states of alerts. */
  alerts(): Promise<string[]>;
  mails(): Promise<readonly DevOutboxMail[]>;
}

interface EmitOptions {
  issuer: string;
  test: boolean;
  type: WebhookEventType;
  data: Record<string, unknown>;
  dies: boolean;
}

/** The id of the API key that adds the webhooks. */
export const KEY = "0123456789abcdef";

export const OWNER: EndpointCreator = { issuer: "harbour", mode: "live", key: KEY };

const AT = "2026-11-01T00:00:00.000Z";

export async function webhooksFixture(): Promise<WebhooksFixture> {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.now() };
  const received: Received[] = [];
  const counted: string[] = [];
  const logged: unknown[] = [];
  const ended = Promise.withResolvers<Response>();
  const server = openHttpsServer(async (req) => {
    const { pathname, search } = new URL(req.url);
    const headers = Object.fromEntries(req.headers);
    const request = { path: pathname + search, headers, body: await req.text() };
    received.push(request);
    return await Promise.race([fixture.respond(request), ended.promise]);
  });
  const outbox = createDevOutbox({ print: () => {}, clock: () => clock.now });
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const mailer = createMailer({
    kv,
    clock: () => clock.now,
    secrets,
    transport: outbox,
    senders: {
      product: "product@example.org",
      foundation: "foundation@example.org",
      commercial: "commercial@example.org",
    },
    log: () => {},
    onFailure: () => {},
  });
  const another = () =>
    createWebhooks({
      kv,
      clock: () => clock.now,
      secrets,
      mailer,
      log: (entry) => void logged.push(entry),
      elapsed: undefined,
      count: ((metric: { name: string }, labels: Record<string, string>) =>
        counted.push([metric.name, ...Object.values(labels)].join(" "))) as Count,
      network: server.network,
      inDevelopment: false,
      issuers: {
        read: (_, id) =>
          Promise.resolve(id === "unknown" ? null : { ...fixture.issuer, id }),
      },
      organisation: parseConfig({}).organisations.commercial,
      docsUrl: "https://api.example/docs",
    });
  const webhooks = another();
  const fixture: WebhooksFixture = {
    kv,
    clock,
    server,
    received,
    webhooks,
    another,
    respond: () => new Response("thanks"),
    issuer: {
      id: "harbour",
      organisation: "commercial",
      name: "Harbour College",
      created_at: AT,
      state: "active",
      state_at: AT,
      state_reason: null,
      domain: null,
      logo: null,
      signature: null,
      contact: "registry@harbour.example",
    },
    counted,
    logged,
    async create({ path = "/hook", events } = {}, owner = OWNER) {
      const url = `https://localhost${path}`;
      const created = await webhooks.create(owner, newEndpointSchema.parse({ url, events }));
      if (!created.ok) throw new Error(created.error);
      return { ...created.endpoint, secret: created.secret };
    },
    async emit({ issuer = "harbour", test = false, type = "document.issued", ...rest } = {}) {
      const { data = { id: "k3v9-qxw2-m7rb-t4hd", external_id: null, test }, dies = false } = rest;
      clock.now++; // so that events are in their order
      const commit = kv.atomic();
      const send = await webhooks.add(commit, { issuer, test, type, data, now: clock.now });
      await commit.commit();
      if (dies) return;
      send();
      await webhooks.flush();
    },
    async pass(ms) {
      clock.now += ms;
      await webhooks.drain(new AbortController().signal);
      await webhooks.flush();
    },
    async read(ref) {
      return unwrap(await webhooks.read(ref)).endpoint;
    },
    list: async (ref) => unwrap(await webhooks.deliveries(ref)).deliveries,
    alerts: () =>
      Array.fromAsync(
        alertRows.list(kv, []),
        ({ value: { kind, state, organisation } }) => `${organisation} ${kind} ${state}`,
      ),
    async mails() {
      await mailer.flush();
      return outbox.list();
    },
    async [Symbol.asyncDispose]() {
      // A test that fails may have left requests without a response.
      ended.resolve(new Response());
      await webhooks.flush();
      await mailer.flush();
      await server[Symbol.asyncDispose]();
      kv.close();
    },
  };
  return fixture;
}

export const ownerOf = (issuer: string, test: boolean): EndpointCreator => ({
  issuer,
  key: KEY,
  mode: modeOf({ test }),
});
