/** The part of the API scenarios that is about documents of issuers. */
import { MAX_ISSUED } from "../lib/features/issuing/issued_limit.ts";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import type { IssuerRow } from "../lib/features/issuers/mod.ts";
import { documentBody } from "./issuer_api_site.ts";
import type { RecordFixture } from "./record_site.ts";

type Scenario = () => Promise<Response>;

interface Options {
  fixture: RecordFixture;
  issuer: IssuerRow;
  liveKey: string;
  /** Sends the request of an operation's example, with a test key unless there is another. */
  call(id: string, changes?: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    headers?: Record<string, string>;
    key?: string;
  }): Promise<Response>;
}

/** Returns the scenarios of the documented responses about documents of issuers. */
export function issuingScenarios(
  { fixture, issuer, liveKey, call }: Options,
): Record<string, Scenario | Scenario[]> {
  const { kv, documents, issuing } = fixture.site.services;
  let count = 0;
  const newAddress = () => ({ name: "Grace Student", email: `grace${++count}@example.org` });
  const newBody = () => documentBody({ recipient: newAddress(), file: btoa(`File ${++count}`) });

  async function issue(key?: string): Promise<{ id: string }> {
    const response = await call("issueDocument", { body: newBody(), key });
    const document = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(document));
    return { id: document.id };
  }

  /** Erases the files of a live document, as if nobody had accepted it. */
  async function lapsed(): Promise<{ id: string }> {
    const params = await issue(liveKey);
    const document = (await documents.read(params.id.replaceAll("-", "").toUpperCase()))!;
    const { email } = (await issuing.recipientsOf([document])).get(document.recipient!)!;
    await issuing.forget(email!);
    return params;
  }

  /** Sends a request, changes the row of its `Idempotency-Key`, and sends it again. */
  async function again(
    id: string,
    row: Record<string, unknown>,
    changes: Parameters<typeof call>[1] = {},
  ): Promise<Response> {
    const options = await prepared(id);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const request = { ...options, headers };
    const before = new Set(await keysOf());
    await (await call(id, request)).body?.cancel();
    const key = (await keysOf()).find((each) => !before.has(each))!;
    const entry = await kv.get<object>(JSON.parse(key));
    await kv.set(entry.key, { ...entry.value, ...row }, { expireIn: 1e6 });
    return await call(id, { ...request, ...changes });
  }
  const keysOf = () =>
    Array.fromAsync(kv.list({ prefix: ["idempotency_keys"] }), ({ key }) => JSON.stringify(key));

  /** Returns the changes that make the example of an operation work. */
  const prepared = async (id: string) =>
    hasNewBody(id) ? { body: newBody() } : { params: await issue() };
  const hasNewBody = (id: string) => id === "issueDocument" || id === "checkNewDocument";

  const once = OPERATIONS.filter(({ method, group }) => method === "post" && group === "Issuing")
    .filter(({ id }) => id in BAD_BODIES)
    .map(({ id }) => id);
  const ofEach = (ids: readonly string[], scenario: (id: string) => Record<string, Scenario>) =>
    Object.assign({}, ...ids.map(scenario)) as Record<string, Scenario>;
  const named = [
    "readDocument",
    "downloadDocument",
    ...once.filter((id) => !hasNewBody(id)),
  ];

  return {
    ...ofEach(once, (id) => ({
      [`${id} 400 invalid_request`]: async () =>
        await call(id, { ...await prepared(id), body: BAD_BODIES[id] }),
      [`${id} 409 idempotency_mismatch`]: async () =>
        await again(id, {}, {
          params: await issue(),
          ...hasNewBody(id) && { body: newBody() },
        }),
      [`${id} 409 idempotency_in_progress`]: () =>
        again(id, { status: null, lease_until: "2100-01-01T00:00:00.000Z" }),
      [`${id} 410 erased`]: () => again(id, { sealed: new Uint8Array(32) }),
    })),
    ...ofEach(named, (id) => ({ [`${id} 404 not_found`]: () => call(id) })),
    "checkNewDocument 200": [() => call("checkNewDocument"), () => again("checkNewDocument", {})],
    "issueDocument 201": [() => call("issueDocument"), () => again("issueDocument", {})],
    "issueDocument 409 recipient_refused": async () => {
      const body = newBody();
      await (await call("issueDocument", { body, key: liveKey })).body?.cancel();
      const recipient =
        (await issuing.findRecipient({ ...issuer, test: false }, body.recipient.email))!;
      const link = await fixture.site.services.secrets.sign("acceptance", recipient.id);
      await issuing.acceptance.refuse({ id: recipient.id, token: link });
      return await call("issueDocument", { body, key: liveKey });
    },
    "issueDocument 409 recipient_unavailable": async () => {
      const body = newBody();
      await (await call("issueDocument", { body, key: liveKey })).body?.cancel();
      const recipient =
        (await issuing.findRecipient({ ...issuer, test: false }, body.recipient.email))!;
      const token = await fixture.site.services.secrets.sign("acceptance", recipient.id);
      const reader = { network: "203.0.113.0/24", browser: "Firefox" };
      await issuing.acceptance.accept(
        { id: recipient.id, token },
        { surface: "trust", browser: null, reader, previous: null },
      );
      const { record } =
        (await issuing.findRecipient({ ...issuer, test: false }, body.recipient.email))!;
      const { row } = (await fixture.site.services.records.read(record!))!;
      await kv.set(["records", record!], { ...row, deletion_at: "2100-01-01T00:00:00.000Z" });
      return await call("issueDocument", { body, key: liveKey });
    },
    "issueDocument 409 too_many_documents": async () => {
      const body = newBody();
      const { id } = await (await call("issueDocument", { body })).json();
      const document = (await documents.read(id.replaceAll("-", "").toUpperCase()))!;
      for (let i = 1; i < MAX_ISSUED; i++) {
        await kv.set(
          ["documents_by_recipient", document.recipient!, document.created_at, `${i}`],
          null,
        );
      }
      return await call("issueDocument", { body });
    },
    "listDocuments 200": () => call("listDocuments"),
    "listDocuments 400 invalid_request": () => call("listDocuments", { query: { limit: "0" } }),
    "readDocument 200": async () => await call("readDocument", { params: await issue() }),
    "downloadDocument 200": async () => await call("downloadDocument", { params: await issue() }),
    "downloadDocument 400 invalid_request": async () =>
      await call("downloadDocument", { params: await issue(), query: { form: "x" } }),
    "downloadDocument 410 erased": async () =>
      await call("downloadDocument", { params: await lapsed(), key: liveKey }),
    "replaceDocument 200": async () => await call("replaceDocument", { params: await issue() }),
    "replaceDocument 409 conflict": async () => {
      const params = await issue();
      await (await call("replaceDocument", { params })).body?.cancel();
      return await call("replaceDocument", { params });
    },
    "replaceDocument 409 too_many_versions": async () => {
      const params = await issue();
      const row = (await documents.read(params.id.replaceAll("-", "").toUpperCase()))!;
      const [version] = row.versions;
      const versions = Array.from({ length: 100 }, (_, i) => ({ ...version, number: i + 1 }));
      await kv.set(["documents", row.id], { ...row, versions });
      return await call("replaceDocument", { params });
    },
    "replaceDocument 409 recipient_refused": async () => {
      const params = await issue();
      const simulated = await call("simulateRecipient", { params, body: { as: "refused" } });
      await simulated.body?.cancel();
      return await call("replaceDocument", { params });
    },
    "replaceDocument 409 recipient_forgotten": async () =>
      await call("replaceDocument", { params: await lapsed(), key: liveKey }),
    "withdrawDocument 200": async () => await call("withdrawDocument", { params: await issue() }),
    "withdrawDocument 409 conflict": async () => {
      const params = await issue();
      await (await call("withdrawDocument", { params })).body?.cancel();
      return await call("withdrawDocument", { params });
    },
    "resendDocument 200": async () => await call("resendDocument", { params: await issue() }),
    "resendDocument 409 recipient_forgotten": async () =>
      await call("resendDocument", { params: await lapsed(), key: liveKey }),
    "simulateRecipient 200": async () => await call("simulateRecipient", { params: await issue() }),
    "simulateRecipient 403 forbidden": async () =>
      await call("simulateRecipient", { params: await issue(), key: liveKey }),
    "simulateRecipient 409 conflict": async () => {
      const params = await issue();
      await (await call("simulateRecipient", { params })).body?.cancel();
      return await call("simulateRecipient", { params, body: { as: "lapsed" } });
    },
  };
}

/** Bodies that are refused. */
const BAD_BODIES: Record<string, unknown> = {
  issueDocument: {},
  checkNewDocument: {},
  replaceDocument: {},
  withdrawDocument: { reason: " " },
  resendDocument: { reason: "x" },
  simulateRecipient: { as: "x" },
};
