/** The part of the API scenarios that is about webhooks. */
import { OPERATIONS } from "../lib/features/api/mod.ts";
import type { Network } from "../lib/platform/http/pinned_fetch.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { MAX_ENDPOINTS, newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import { addIssuer } from "./key_site.ts";
import type { Site } from "./site.ts";

/** A network whose names all lead to a public address that nothing connects to. */
export const NOWHERE: Network = {
  resolve: () => Promise.resolve(["93.184.215.14"]),
  connect: () => {
    throw new Error("Tests connect to nothing.");
  },
  deadline: () => new AbortController().signal,
};

interface Changes {
  params?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
}

const DATA = {
  id: "k3v9-qxw2-m7rb-t4hd",
  external_id: "2026-0117",
  test: true,
  state: "current",
  version: 1,
  url: "https://trust.example/d/K3V9QXW2M7RBT4HD",
};

/** Returns a request for each documented response of the operations on webhooks. */
export function webhookScenarios({ site, issuer, call }: {
  site: Site;
  /** The issuer of the key with which requests are sent. */
  issuer: { id: string };
  call: (id: string, changes?: Changes) => Promise<Response>;
}) {
  const { webhooks, kv, clock } = site.services;
  const owner = { issuer: issuer.id, mode: "test", key: "none" } as const;
  const unknown = { id: crypto.randomUUID(), delivery: `msg_${"0".repeat(26)}` };

  /** Sends a request about a new webhook, which is removed afterwards. */
  const about = (id: string, body?: unknown, { paused = false } = {}) => async () => {
    const input = newEndpointSchema.parse({
      url: "https://records.harbour.example/events",
      events: ["document.accepted"],
    });
    const { endpoint } = unwrap(await webhooks.create(owner, input));
    const commit = kv.atomic();
    const event = { issuer: issuer.id, test: true, type: "document.accepted" } as const;
    const send = await webhooks.add(commit, { ...event, data: DATA, now: clock() });
    await commit.commit();
    send();
    await webhooks.flush();
    const { deliveries: [delivery] } = unwrap(await webhooks.deliveries(endpoint));
    if (paused) await webhooks.pause(endpoint, null);
    const params = { id: endpoint.id, delivery: delivery.id };
    const response = await call(id, { params, ...body !== undefined && { body } });
    await webhooks.flush();
    await webhooks.remove(endpoint, null);
    return response;
  };
  /** Sends a request twice with one `Idempotency-Key`: the other one is changed, or the first still runs. */
  const repeated = (id: string, { runs }: { runs: boolean }) => async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const list = () => Array.fromAsync(kv.list<object>({ prefix: ["idempotency_keys"] }));
    const before = (await list()).map(({ versionstamp }) => versionstamp);
    const send = (url: string, webhook: string) =>
      call(id, {
        headers,
        params: { ...unknown, id: webhook },
        ...id === "createWebhook" && { body: { url } },
      });
    const url = "https://records.harbour.example/events";
    const first = await send(url, unknown.id);
    if (first.ok) await webhooks.remove({ ...owner, id: (await first.json()).id }, null);
    else await first.body?.cancel();
    if (!runs) return await send(`${url}?other`, crypto.randomUUID());
    const row = (await list()).find(({ versionstamp }) => !before.includes(versionstamp))!;
    const running = { status: null, lease_until: "2100-01-01T00:00:00.000Z" };
    await kv.set(row.key, { ...row.value, ...running }, { expireIn: 1e6 });
    return await send(url, unknown.id);
  };
  const once = OPERATIONS
    .filter(({ path, method }) => path.startsWith("/api/documents/webhooks") && method === "post")
    .flatMap(({ id }) => [
      [`${id} 409 idempotency_mismatch`, repeated(id, { runs: false })] as const,
      [`${id} 409 idempotency_in_progress`, repeated(id, { runs: true })] as const,
    ]);
  const notFound = (id: string) => () => call(id, { params: unknown });
  const paused = (id: string) => about(id, undefined, { paused: true });

  return {
    ...Object.fromEntries(once),
    "listWebhooks 200": about("listWebhooks"),
    "createWebhook 201": async () => {
      const response = await call("createWebhook");
      await webhooks.remove({ ...owner, id: (await response.clone().json()).id }, null);
      return response;
    },
    "createWebhook 400 invalid_request": () =>
      call("createWebhook", { body: { url: "https://127.0.0.1/" } }),
    "createWebhook 409 conflict": async () => {
      const key = await (await addIssuer(site, "Lakeside College")).key("test");
      for (let i = 0; i < MAX_ENDPOINTS; i++) {
        await (await call("createWebhook", { key })).body?.cancel();
      }
      return await call("createWebhook", { key });
    },
    "readWebhook 200": about("readWebhook"),
    "readWebhook 404 not_found": notFound("readWebhook"),
    "changeWebhook 200": about("changeWebhook"),
    "changeWebhook 400 invalid_request": about("changeWebhook", { events: [] }),
    "changeWebhook 404 not_found": notFound("changeWebhook"),
    "removeWebhook 204": about("removeWebhook"),
    "removeWebhook 404 not_found": notFound("removeWebhook"),
    "rotateWebhookSecret 200": about("rotateWebhookSecret"),
    "rotateWebhookSecret 400 invalid_request": about("rotateWebhookSecret", { keep_previous: 1 }),
    "rotateWebhookSecret 404 not_found": notFound("rotateWebhookSecret"),
    "pauseWebhook 200": about("pauseWebhook"),
    "pauseWebhook 404 not_found": notFound("pauseWebhook"),
    "resumeWebhook 200": paused("resumeWebhook"),
    "resumeWebhook 404 not_found": notFound("resumeWebhook"),
    "testWebhook 202": about("testWebhook"),
    "testWebhook 404 not_found": notFound("testWebhook"),
    "testWebhook 409 conflict": paused("testWebhook"),
    "replayWebhook 202": about("replayWebhook"),
    "replayWebhook 400 invalid_request": about("replayWebhook", { since: "yesterday" }),
    "replayWebhook 404 not_found": notFound("replayWebhook"),
    "listWebhookDeliveries 200": about("listWebhookDeliveries"),
    "listWebhookDeliveries 404 not_found": notFound("listWebhookDeliveries"),
    "replayWebhookDelivery 202": about("replayWebhookDelivery"),
    "replayWebhookDelivery 404 not_found": notFound("replayWebhookDelivery"),
    "replayWebhookDelivery 409 conflict": paused("replayWebhookDelivery"),
  };
}
