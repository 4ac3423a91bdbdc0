/** The part of the API scenarios that is about batches of documents. */
import { MAX_UNFINISHED } from "../lib/features/issuing/batches/mod.ts";
import type { IssuerRow } from "../lib/features/issuers/mod.ts";
import { addIssuer } from "./key_site.ts";
import type { Site } from "./site.ts";

/** The parameters of a batch, which may repeat an earlier one. */
const AGAIN = { title: "First aid", date: "2026-11-20", allow_duplicate: "true" };

interface Changes {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
}

/** Returns a request for each documented response of the operations on batches. */
export function batchScenarios({ site, withoutStreams, issuer, newKey, call }: {
  site: Site;
  withoutStreams: Site;
  issuer: IssuerRow;
  /** Returns a test key of another issuer. */
  newKey(): Promise<string>;
  call: (id: string, changes?: Changes, on?: { site: Site }) => Promise<Response>;
}) {
  const owner = { issuer, test: true };
  const { jobs, kv, batches } = site.services;
  const run = () => jobs.run("batches");

  /** Ends the batches in progress, of which there can be ten. */
  async function endAll(): Promise<void> {
    for (const { id } of await batches.list(owner)) await batches.cancel(owner, id, "key k1");
    await run();
  }

  async function about(changes: Changes = {}): Promise<{ id: string }> {
    await endAll();
    const created = await (await call("createBatch", { query: AGAIN, ...changes })).json();
    await run();
    return { id: created.id };
  }

  async function after(act: string, on: string): Promise<Response> {
    const params = await about();
    await (await call(act, { params })).body?.cancel();
    await run();
    return await call(on, { params });
  }

  const takesFile = (id: string) => id === "createBatch" || id === "checkBatch";

  /** Sends a request with an `Idempotency-Key`, and again with changes. */
  async function twice(id: string, change: (request: Changes) => Promise<Changes>) {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const request = { headers, ...!takesFile(id) && { params: await about() } };
    await (await call(id, request)).body?.cancel();
    return await call(id, { ...request, ...await change(request) });
  }

  async function stillRuns(): Promise<Changes> {
    for await (const { key, value } of kv.list<object>({ prefix: ["idempotency_keys"] })) {
      if (key.length !== 4) continue;
      const row = { ...value, status: null, lease_until: "2100-01-01T00:00:00.000Z" };
      await kv.set(key, row, { expireIn: 1e6 });
    }
    return {};
  }

  const ofAct = (id: string, opposite: string) => ({
    [`${id} 200`]: async () => await call(id, { params: await about() }),
    [`${id} 400 invalid_request`]: async () =>
      await call(id, { params: await about(), body: { now: true } }),
    [`${id} 404 not_found`]: () => call(id),
    [`${id} 409 conflict`]: () => after(opposite, id),
    [`${id} 409 idempotency_mismatch`]: () => twice(id, async () => ({ params: await about() })),
    [`${id} 409 idempotency_in_progress`]: () => twice(id, stillRuns),
  });

  const ofFile = (id: string) => ({
    [`${id} 400 invalid_request`]: () => call(id, { query: { titel: "A" } }),
    [`${id} 400 invalid_rows`]: () => call(id, { body: "name,email\nGrace,grace\n" }),
    [`${id} 409 idempotency_mismatch`]: () =>
      twice(id, () => Promise.resolve({ body: "name,email\nEve,eve@example.org\n" })),
    [`${id} 409 idempotency_in_progress`]: () => twice(id, stillRuns),
    [`${id} 413 too_large`]: () => call(id, { body: "x".repeat(9 * 1024 * 1024) }),
  });

  return {
    ...ofFile("createBatch"),
    ...ofFile("checkBatch"),
    "createBatch 201": () => call("createBatch", { query: AGAIN }),
    "checkBatch 200": () => call("checkBatch"),
    "createBatch 409 duplicate_batch": async () => {
      await endAll();
      await (await call("createBatch")).body?.cancel();
      return await call("createBatch");
    },
    "createBatch 409 conflict": async () => {
      const key = await newKey();
      for (let i = 0; i < MAX_UNFINISHED; i++) {
        await (await call("createBatch", { key, query: AGAIN })).body?.cancel();
      }
      return await call("createBatch", { key, query: AGAIN });
    },
    "listBatches 200": async () => {
      await about();
      return await call("listBatches");
    },
    "readBatch 200": [
      async () => await call("readBatch", { params: await about() }),
      async () => {
        const headers = { accept: "text/event-stream" };
        return await call("readBatch", { params: await about(), headers });
      },
    ],
    "readBatch 204": async () => {
      const other = await addIssuer(withoutStreams);
      const owner = { issuer: other.issuer, test: true };
      const added = await withoutStreams.services.batches.add(owner, {
        name: null,
        by: "key k1",
        rows: [],
      });
      if (!added.ok) throw new Error(added.message);
      return await call("readBatch", {
        params: { id: added.batch.id },
        headers: { accept: "text/event-stream" },
        key: await other.key("test"),
      }, { site: withoutStreams });
    },
    "readBatch 304": async () => {
      const params = await about();
      const etag = (await call("readBatch", { params })).headers.get("etag")!;
      return await call("readBatch", { params, headers: { "if-none-match": etag } });
    },
    "readBatch 404 not_found": () => call("readBatch"),
    ...ofAct("sendBatch", "cancelBatch"),
    ...ofAct("cancelBatch", "sendBatch"),
    "readBatchResults 200": async () => await call("readBatchResults", { params: await about() }),
    "readBatchResults 404 not_found": () => call("readBatchResults"),
  };
}
