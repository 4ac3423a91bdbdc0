/** Requests of apps, agents and issuers' programs, whose costs are counted. */
import { PERSON, statusOf } from "../contact_site.ts";
import { signStandard } from "../../sandbox/payment_events.ts";
import { exampleRequest, OPERATIONS } from "../../lib/features/api/mod.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { documentBody } from "../issuer_api_site.ts";
import { addIssuer } from "../key_site.ts";
import { approvedCode, authorizePath, codeForm, connect, refreshForm } from "../oauth_site.ts";
import { BROWSER, REGISTER, VERIFY } from "../passkey_site.ts";
import { Authenticator } from "../../lib/features/passkeys/testing/authenticator.ts";
import { type CostRequest, type CostRequests, notModified, STREAM } from "./requests.ts";
import { MAIL_SECRET, type PeopleSite } from "./sites.ts";

let number = 0;

/** Requests of apps and agents. */
export async function appRequests(fixture: PeopleSite): Promise<CostRequests> {
  const { site, filled: { client } } = fixture;
  const { hash } = await fixture.holder({ ...PERSON, email: "agent@example.org" });
  const { access_token } = await connect(site, client, { record: hash });
  const { events } = await (await site.request("api", `/api/chain/${hash}`)).json();
  const form = (path: string, form: Record<string, string>): CostRequest => ({
    on: "foundation-mcp",
    path,
    form,
    headers: { accept: "application/json" },
  });
  const mcp = (method: string, params: unknown = {}, token?: string): CostRequest => ({
    on: "foundation-mcp",
    path: "/mcp",
    json: { jsonrpc: "2.0", id: 1, method, params },
    headers: {
      accept: "application/json, text/event-stream",
      ...token !== undefined && { authorization: `Bearer ${token}` },
    },
  });
  const call = (name: string, args: unknown, token?: string) =>
    mcp("tools/call", { name, arguments: args }, token);
  const authenticator = () => new Authenticator(site.services.surfaces.get("trust")!.baseUrl);
  const options = async (path: string, cookie: string) =>
    await (await fixture.fetch(path, { cookie, json: {} })).json();
  const passkey = async () => {
    const { cookie } = await fixture.holder({ ...PERSON, email: `app${++number}@example.org` });
    const own = authenticator();
    const response = await own.register(await options(REGISTER, cookie));
    return { own, cookie, response };
  };
  return {
    "foundation-mcp POST /mcp, initialize": mcp("initialize", {
      protocolVersion: "2025-03-26",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    }),
    "foundation-mcp POST /mcp, tools/list": mcp("tools/list"),
    "foundation-mcp POST /mcp, verify_chain": call("verify_chain", { record_hash: hash }),
    "foundation-mcp POST /mcp, verify_chain with events": call("verify_chain", {
      record_hash: hash,
      events,
    }),
    "foundation-mcp POST /mcp, verify_chain of one's own": call(
      "verify_chain",
      { record: "mine" },
      access_token,
    ),
    "foundation-mcp POST /mcp, describe_organisation": call("describe_organisation", {}),
    "foundation-mcp POST /mcp, read_standard_section": call("read_standard_section", {
      section: "event-chain",
    }),
    "foundation-mcp POST /mcp, search_standard": call("search_standard", { query: "head" }),
    "foundation-mcp POST /register": () => ({
      on: "foundation-mcp",
      path: "/register",
      json: { client_name: "Example app", redirect_uris: ["https://app.example/callback"] },
    }),
    "foundation-mcp /authorize": { on: "foundation-mcp", path: authorizePath(client) },
    "foundation-mcp POST /token, code": async () =>
      form("/token", codeForm(client, await approvedCode(site, client, { record: hash }))),
    "foundation-mcp POST /token, refresh token": async () =>
      form(
        "/token",
        refreshForm(client, (await connect(site, client, { record: hash })).refresh_token),
      ),
    "foundation-mcp POST /revoke": async () =>
      form("/revoke", { token: (await connect(site, client, { record: hash })).refresh_token }),
    "trust POST /api/auth/register-passkey, options": async () => ({
      on: "trust",
      path: REGISTER,
      json: {},
      cookie: (await passkey()).cookie,
    }),
    "trust POST /api/auth/register-passkey": async () => {
      const { cookie, response } = await passkey();
      return { on: "trust", path: REGISTER, json: { response }, cookie };
    },
    "trust POST /api/auth/verify-passkey": async () => {
      const { own, cookie, response } = await passkey();
      await statusOf(fixture.fetch(REGISTER, { cookie, json: { response } }));
      const signed = await own.signIn(await options(VERIFY, BROWSER));
      return { on: "trust", path: VERIFY, json: { response: signed }, cookie: BROWSER };
    },
  };
}

/** The requests of issuers. */
export async function issuerRequests(
  { site, mails, clock }: PeopleSite,
): Promise<CostRequests> {
  const issuer = await addIssuer(site, "Quay School");
  const authorization = `Bearer ${await issuer.key("live")}`;
  const headers = { accept: "application/json", authorization };
  const get = (path: string): CostRequest => ({ on: "api", path, headers });
  const post = (path: string, json: unknown, method = "POST"): CostRequest => ({
    on: "api",
    path,
    json,
    headers,
    method,
  });
  const send = async (request: CostRequest) => {
    const response = await site.request("api", request.path, {
      method: "POST",
      body: JSON.stringify(request.json),
      headers: {
        ...request.headers,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
    });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  const body = () =>
    documentBody({ recipient: { name: "Grace", email: `grace${++number}@example.org` } });
  const issued = async () => {
    const { id } = await send(post("/api/documents", body()));
    await mails(); // is sent meanwhile
    return `/api/documents/${id}`;
  };
  const owner = {
    issuer: (await site.services.issuers.read("commercial", issuer.issuer.id))!,
    test: false,
  };
  const batch = async (isDone = true) => {
    const batches = await site.services.batches.list(owner);
    for (const { id } of batches) await site.services.batches.cancel(owner, id, "key k1");
    const named = { name: `${++number}.csv`, by: "admin@example.org", rows: [] };
    const { batch } = unwrap(await site.services.batches.add(owner, named));
    if (isDone) await site.services.jobs.run("batches");
    return `/api/documents/batches/${batch.id}`;
  };
  const webhook = async () => {
    const { id } = await send(
      post("/api/documents/webhooks", { url: `https://hooks.example/${++number}` }),
    );
    return `/api/documents/webhooks/${id}`;
  };
  const testKey = { ...headers, authorization: `Bearer ${await issuer.key("test")}` };
  const simulated = async () => {
    const { id } = await send({ ...post("/api/documents", body()), headers: testKey });
    return `/api/documents/${id}/simulate`;
  };
  /** Returns the request of an operation's example, with a new key. */
  const example = (id: string) => {
    const operation = OPERATIONS.find((each) => each.id === id)!;
    const { body, url, headers: own } = exampleRequest(operation, "http://api.localhost");
    const { pathname, search } = new URL(url);
    const sent = { ...own, ...headers, "idempotency-key": crypto.randomUUID() };
    return { on: "api", path: pathname + search, body: body!, headers: sent } as const;
  };
  const document = await issued();
  const hook = await webhook();
  await send(post(`${hook}/test`, {}));
  const done = await batch();
  return {
    "api /api/documents/issuer": get("/api/documents/issuer"),
    "api /api/documents": get("/api/documents"),
    "api /api/documents/…": get(document),
    "api /api/documents/…/file": get(`${document}/file`),
    // Before the documents that follow cause deliveries, however often they are tried.
    "api /api/documents/webhooks/…/deliveries": get(`${hook}/deliveries`),
    "api POST /api/documents": () => post("/api/documents", body()),
    "api POST /api/documents/…/versions": async () =>
      post(`${await issued()}/versions`, { file: btoa(`New ${number}`), file_name: "new.txt" }),
    "api POST /api/documents/…/withdraw": async () =>
      post(`${await issued()}/withdraw`, { reason: "A mistake" }),
    "api POST /api/documents/…/resend": async () => post(`${await issued()}/resend`, {}),
    "api POST /api/mail/events": async () => {
      await issued();
      const to = `grace${number}@example.org`;
      const body = JSON.stringify({
        type: "email.bounced",
        data: { to, bounce: { type: "hard" } },
      });
      const time = Math.floor(clock.now / 1_000);
      const { headers } = signStandard(body, MAIL_SECRET, { id: `msg_${number}`, time });
      return {
        on: "api",
        path: "/api/mail/events",
        body,
        headers: { accept: "*/*", "content-type": "application/json", ...headers },
      };
    },
    "api POST /api/keys/revoke": async () => ({
      ...post("/api/keys/revoke", { key: await issuer.key() }),
      headers: { "content-type": "application/json" },
    }),
    "api /api/documents/webhooks": get("/api/documents/webhooks"),
    "api /api/documents/webhooks/…": get(hook),
    "api POST /api/documents/webhooks": () =>
      post("/api/documents/webhooks", { url: `https://hooks.example/${++number}` }),
    "api POST /api/documents/webhooks/…": () => post(hook, { description: `Hook ${++number}` }),
    "api DELETE /api/documents/webhooks/…": async () => ({
      ...get(await webhook()),
      method: "DELETE",
    }),
    ...Object.fromEntries(
      ["rotate", "pause", "resume", "test"].map((act) => [
        `api POST /api/documents/webhooks/…/${act}`,
        async () => {
          const path = await webhook();
          if (act === "resume") await send(post(`${path}/pause`, {}));
          return post(`${path}/${act}`, {});
        },
      ]),
    ),
    "api POST /api/documents/webhooks/…/replay": () =>
      post(`${hook}/replay`, { since: new Date(clock.now - 1_000).toISOString() }),
    "api /api/documents/batches": get("/api/documents/batches"),
    "api POST /api/documents/webhooks/…/deliveries/…/replay": async () => {
      const list = await site.request("api", `${hook}/deliveries`, { headers });
      const { data: [{ id }] } = await list.json();
      return post(`${hook}/deliveries/${id}/replay`, {});
    },
    "api POST /api/documents/…/simulate": async () => ({
      ...post(await simulated(), { as: "accepted" }),
      headers: testKey,
    }),
    "api /api/documents/batches/…": get(done),
    "api /api/documents/batches/…, 304": notModified(site, get(done)),
    "api /api/documents/batches/…, stream": {
      ...get(done),
      headers: { ...headers, ...STREAM },
    },
    "api /api/documents/batches/…/results": get(`${done}/results`),
    "api POST /api/documents/batches": async () => {
      await batch(); // ends the others
      return example("createBatch");
    },
    "api POST /api/documents/batches/check": () => Promise.resolve(example("checkBatch")),
    "api POST /api/documents/check": () => Promise.resolve(example("checkNewDocument")),
    "api POST /api/documents/batches/…/send": async () => post(`${await batch()}/send`, {}),
    "api POST /api/documents/batches/…/cancel": async () =>
      post(`${await batch(false)}/cancel`, {}),
  };
}
