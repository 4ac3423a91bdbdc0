import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { unwrap } from "../lib/platform/http/errors.ts";
import { type Call, documentBody, issuerApiFixture } from "./issuer_api_site.ts";

const PATH = "/api/documents";

/** Play more sequences, or others, with `ISOLATION_RUNS` and `ISOLATION_SEED`. */
const RUNS = Number(Deno.env.get("ISOLATION_RUNS") ?? 10);
const SEED = Number(Deno.env.get("ISOLATION_SEED") ?? 34);
const MOST_STEPS = 40;

const ISSUERS = ["Alder College", "Birch College", "Cedar College"];
const EMAILS = ["grace@example.org", "ada@example.org"];

/** The caller: an issuer in one mode, with either of two keys. */
interface Tenant {
  issuer: string;
  mode: "live" | "test";
  /** In each text that only this tenant gives. */
  marker: string;
  calls: Call[];
  /** The responses to requests with an `Idempotency-Key`, by key and body. */
  once: Map<string, { request: string; text: string }>;
}

/** A document as the model knows it. */
interface Known {
  id: string;
  tenant: Tenant;
  email: string;
  external: string;
  /** False once its holder has deleted the record. */
  exists: boolean;
}

const ACTIONS = [
  "issue",
  "issue",
  "issue",
  "issueOnce",
  "issueOnce",
  "read",
  "file",
  "list",
  "cursor",
  "replace",
  "withdraw",
  "resend",
  "simulate",
  "accept",
  "refuse",
  "deleteRecord",
  "addAsAdministrator",
] as const;
type Step = [action: typeof ACTIONS[number], tenant: number, n: number, m: number];

const ADMINISTRATORS = "Added by an administrator";

const idOf = (id: string) => id.replaceAll("-", "").toUpperCase();

/** Plays a sequence, and checks after each step what the tenants see. */
async function play(steps: readonly Step[]): Promise<void> {
  await using fixture = await issuerApiFixture();
  const { documents, issuing, secrets, records, webhooks } = fixture.site.services;
  const events: Parameters<typeof webhooks.add>[1][] = [];
  const addEvent = webhooks.add;
  webhooks.add = (commit, event) => {
    events.push(event);
    return addEvent(commit, event);
  };
  const tenants: Tenant[] = [];
  for (const name of ISSUERS) {
    const client = await fixture.addClient(name);
    const second = await client.another();
    for (const mode of ["live", "test"] as const) {
      const calls = [client[mode], second[mode]];
      tenants.push({
        issuer: client.issuer.id,
        mode,
        marker: `Tenant ${tenants.length}`,
        calls,
        once: new Map(),
      });
    }
  }
  const record = await fixture.register();
  /** The documents that administrators have added. */
  const added: string[] = [];
  const known: Known[] = [];
  let cursors: { tenant: Tenant; cursor: string }[] = [];

  /** Sends a request, and checks that nothing of another tenant is in the response. */
  async function send(
    tenant: Tenant,
    n: number,
    path: string,
    request: Parameters<Call>[1] = {},
  ): Promise<{ status: number; text: string; replayed: boolean }> {
    const response = await tenant.calls[n % 2](path, request);
    const text = await response.text();
    assert(!text.includes(ADMINISTRATORS), `${tenant.marker}: ${path}`);
    for (const other of tenants.filter((each) => each !== tenant)) {
      assert(!text.includes(other.marker), `${tenant.marker}: ${path} returned ${other.marker}`);
    }
    for (const { id } of known.filter((each) => each.tenant !== tenant)) {
      assert(!text.includes(id) || path.includes(id), `${tenant.marker}: ${path} returned ${id}`);
    }
    return { status: response.status, text, replayed: response.headers.has("idempotent-replayed") };
  }

  const bodyOf = ({ marker }: Tenant, n: number, m: number) =>
    documentBody({
      recipient: { name: `${marker} Student`, email: EMAILS[n % 2] },
      title: `${marker} ${m}`,
      external_id: `E${m % 3}`,
      file: btoa(`File ${n} ${m}`),
    });

  function add(tenant: Tenant, text: string): void {
    const { id, recipient: { email }, external_id: external } = JSON.parse(text);
    known.push({ id, tenant, email, external, exists: true });
  }

  const live = () => known.filter(({ tenant: { mode }, exists }) => mode === "live" && exists);

  /** Does what the recipient of a live document does. */
  async function act(n: number, as: "accept" | "refuse"): Promise<void> {
    const found = live()[n % Math.max(1, live().length)];
    if (found === undefined) return;
    const { recipient: id } = (await documents.read(idOf(found.id)))!;
    const link = { id: id!, token: await secrets.sign("acceptance", id!) };
    const reader = { network: "203.0.113.0/24", browser: "Firefox" };
    const use = { surface: "trust", browser: null, reader, previous: null } as const;
    await (as === "accept"
      ? issuing.acceptance.accept(link, use)
      : issuing.acceptance.refuse(link));
  }

  async function deleteRecord(n: number): Promise<void> {
    const rows = await Promise.all(
      live().map(async (each) => ({
        each,
        record: (await documents.read(idOf(each.id)))!.record,
      })),
    );
    const held = rows.filter(({ record }) => record !== null);
    if (held.length === 0) return;
    const { record } = held[n % held.length];
    assert((await records.deletion.deleteRecord(record!)).ok);
    for (const { each } of held.filter((other) => other.record === record)) each.exists = false;
  }

  /** Adds a document of the issuer to somebody's record, about which the issuer has given no data. */
  async function addAsAdministrator({ issuer }: Tenant): Promise<void> {
    const about = { title: ADMINISTRATORS, kind: "Certificate", public: true, file_name: "a.txt" };
    const body = new Blob([`File ${added.length}`]).stream();
    const result = await documents.add(
      { ...about, record, organisation: "commercial", issuer, by: "admin@example.org" },
      body,
    );
    added.push(unwrap(result).document.id);
  }

  async function step([action, t, n, m]: Step): Promise<void> {
    const tenant = tenants[t % tenants.length];
    const target = known[m % Math.max(1, known.length)];
    if (action === "accept" || action === "refuse") return await act(n, action);
    if (action === "deleteRecord") return await deleteRecord(n);
    if (action === "addAsAdministrator") return await addAsAdministrator(tenant);
    if (action === "issue") {
      const { status, text } = await send(tenant, n, PATH, { json: bodyOf(tenant, n, m) });
      if (status === 201) return add(tenant, text);
      return assertEquals(JSON.parse(text).error, "recipient_refused");
    }
    if (action === "issueOnce") {
      const key = `key ${m % 2}`.replace(" ", "-");
      const json = bodyOf(tenant, n, m % 4);
      const { status, text, replayed } = await send(tenant, m, PATH, { json, once: key });
      const before = tenant.once.get(key);
      const request = JSON.stringify(json);
      assertEquals(replayed, before?.request === request && status !== 410);
      if (before === undefined) tenant.once.set(key, { request, text });
      else if (before.request !== request) {
        assertEquals(JSON.parse(text).error, "idempotency_mismatch");
      } else if (status !== 410) assertEquals(text, before.text);
      if (before !== undefined) return;
      if (status === 201) return add(tenant, text);
      return assertEquals(JSON.parse(text).error, "recipient_refused");
    }
    if (action === "list" || action === "cursor") {
      const other = cursors[n % Math.max(1, cursors.length)];
      if (action === "cursor" && other !== undefined) {
        const { status } = await send(tenant, n, `${PATH}?limit=1&cursor=${other.cursor}`);
        return assertEquals(status, other.tenant === tenant ? 200 : 400);
      }
      const { text } = await send(tenant, n, `${PATH}?limit=1`);
      const { next_cursor: cursor } = JSON.parse(text);
      if (cursor !== null) cursors = [...cursors, { tenant, cursor }];
      return;
    }
    if (target === undefined) return;
    const path = `${PATH}/${target.id}`;
    const requests = {
      read: () => send(tenant, n, path),
      file: () => send(tenant, n, `${path}/file`),
      replace: () =>
        send(tenant, n, `${path}/versions`, { json: { file: btoa(`${tenant.marker} ${n} ${m}`) } }),
      withdraw: () => send(tenant, n, `${path}/withdraw`, { json: { reason: tenant.marker } }),
      resend: () => send(tenant, n, `${path}/resend`, { method: "POST" }),
      simulate: () => send(tenant, n, `${path}/simulate`, { json: { as: "refused" } }),
    };
    const before = await documents.read(idOf(target.id));
    const { status, text } = await requests[action]();
    if (target.tenant === tenant && target.exists) {
      const expected = action === "simulate" && tenant.mode === "live"
        ? [403]
        : [200, 409, 410, 429];
      return assert(expected.includes(status), `${action}: ${status} ${text}`);
    }
    // It is as if there were no such document.
    const unknown = await send(tenant, n, path.replace(target.id, "0000-0000-0000-0000"));
    if (action === "simulate" && tenant.mode === "live") assertEquals(status, 403);
    else assertEquals([status, text], [404, unknown.text]);
    assertEquals(await documents.read(idOf(target.id)), before);
  }

  /** Checks that each tenant's lists have exactly its documents. */
  async function checkLists(): Promise<void> {
    for (const tenant of tenants) {
      const own = known.filter((each) => each.tenant === tenant && each.exists);
      const list = async (query: string): Promise<string[]> => {
        const { text } = await send(tenant, 0, `${PATH}?limit=100${query}`);
        return JSON.parse(text).data.map(({ id }: { id: string }) => id).sort();
      };
      assertEquals(await list(""), own.map(({ id }) => id).sort());
      for (const id of added.slice(0, 1)) {
        assertEquals((await send(tenant, 0, `${PATH}/${id}`)).status, 404);
      }
      for (const external of ["E0", "E1", "E2"]) {
        const expected = own.filter((each) => each.external === external);
        assertEquals(await list(`&external_id=${external}`), expected.map(({ id }) => id).sort());
      }
      for (const email of EMAILS) {
        const found = new Set(await list(`&email=${email}`));
        for (const { id } of own.filter((each) => each.email !== email)) assert(!found.has(id));
        assert([...found].every((id) => own.some((each) => each.id === id)));
      }
    }
  }

  /** Checks that each event is for the issuer of its document, and names nobody. */
  function checkEvents(): void {
    for (const { issuer, test, data } of events) {
      const tenant = tenants.find(({ issuer: id, mode }) =>
        id === issuer && test === (mode === "test")
      );
      assert(tenant !== undefined);
      assertEquals(known.find(({ id }) => id === data.id)?.tenant, tenant);
      const text = JSON.stringify(data);
      assert(!tenants.some(({ marker }) => text.includes(marker)) && !text.includes("@"), text);
    }
    const issued = events.filter(({ type }) => type === "document.issued").map(({ data }) =>
      data.id
    );
    assertEquals(issued.toSorted(), known.map(({ id }) => id).sort());
  }

  for (const each of steps) await step(each);
  await checkLists();
  checkEvents();
}

Deno.test("nothing crosses between issuers, keys, modes and records, whatever they do", async () => {
  const number = fc.nat(11);
  const steps = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), number, number, number), {
    minLength: MOST_STEPS,
    maxLength: MOST_STEPS,
  });
  await fc.assert(fc.asyncProperty(steps, (each) => play(each as Step[])), {
    seed: SEED,
    numRuns: RUNS,
  });
});
