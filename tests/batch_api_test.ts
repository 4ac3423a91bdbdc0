import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import {
  batchDefaults,
  batchTable,
  checkLimits,
  CHECKS_PER_HOUR,
  HOLD_MS,
  MAX_UNFINISHED,
  STOPPED_MS,
  STORING_MS,
} from "../lib/features/issuing/batches/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { readStream } from "../lib/platform/http/testing/streams.ts";
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import { NOWHERE } from "./webhook_scenarios.ts";
import { addIssuer, BY, keyFixture } from "./key_site.ts";
import type { SiteOverrides } from "./site.ts";
import { never } from "../lib/testing/held_timers.ts";
import { until } from "../lib/testing/until.ts";

const PATH = "/api/documents/batches";
const QUERY = "?title=Certificate+III&date=2026-11-20";
const DEFAULTS = batchDefaults.parse({ title: "Certificate III", date: "2026-11-20" });
const FILE = [
  "name;email;external_id",
  "Grace Student;grace@example.org;=1+1",
  "Zoë Müller;zoe@example.org;A-2",
].join("\r\n");

async function batchApiFixture(overrides: SiteOverrides = {}) {
  const fixture = await keyFixture({}, {
    issuePdf: null,
    network: NOWHERE,
    schedule: never, // a poll ends streams that the clock has made too old
    ...overrides,
  });
  const key = await fixture.key();
  const { jobs } = fixture.site.services;
  const post = (body: BodyInit, { query = QUERY, headers = {}, path = PATH, by = key } = {}) =>
    fixture.call(by, {
      path: path + query,
      method: "POST",
      body,
      headers: { ...typeof body === "string" && { "content-type": "text/csv" }, ...headers },
    });
  return {
    ...fixture,
    key,
    testKey: await fixture.key("test"),
    post,
    check: (body: BodyInit, options: Parameters<typeof post>[1] = {}) =>
      post(body, { ...options, path: `${PATH}/check` }),
    get: (path: string, headers: Record<string, string> = {}, by = key) =>
      fixture.call(by, { path: PATH + path, headers }),
    run: () => jobs.run("batches"),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("a CSV file becomes a batch, whose progress, results and documents the issuer reads", async () => {
  await using fixture = await batchApiFixture();
  const created = await fixture.post(FILE, { query: `${QUERY}&file_name=students.csv` });
  assertEquals(created.status, 201);
  const { id, ...batch } = await created.json();
  assertEquals([batch.object, batch.state, batch.rows, batch.file_name], [
    "batch",
    "issuing",
    2,
    "students.csv",
  ]);
  await fixture.run();
  const read = await fixture.get(`/${id}`);
  const etag = read.headers.get("etag")!;
  const held = await read.json();
  assertEquals([held.state, held.issued, held.stopped], ["holding", 2, null]);
  assertEquals(Date.parse(held.send_at), fixture.clock.now + HOLD_MS);
  assertEquals((await fixture.get(`/${id}`, { "if-none-match": etag })).status, 304);

  const sent = await fixture.call(fixture.key, { path: `${PATH}/${id}/send`, method: "POST" });
  assertEquals(sent.status, 200);
  await fixture.run();
  const results = await fixture.get(`/${id}/results`);
  assertStringIncludes(results.headers.get("content-disposition")!, `batch-${id}.csv`);
  const [header, first, second] = parse(await results.text()) as string[][];
  assertEquals(header.slice(0, 7), [
    "line",
    "external_id",
    "external_id_unchanged",
    "status",
    "error",
    "reason",
    "document",
  ]);
  assertEquals(first.slice(0, 6), ["2", "'=1+1", "=1+1", "sent", "", ""]); // no formula for spreadsheets
  assertMatch(second[8], /^[0-9a-f]{64}$/);
  const document = await fixture.call(fixture.key, { path: `/api/documents/${second[6]}` });
  const { external_id, recipient, title, url } = await document.json();
  assertEquals([second[2], second[7]], ["", url]);
  assertEquals([external_id, recipient.email, title], [
    "A-2",
    "zoe@example.org",
    "Certificate III",
  ]);
  const { data } = await (await fixture.get("")).json();
  assertEquals(data.map(({ id, state }: Record<string, string>) => [id, state]), [[id, "done"]]);
  const late = await fixture.call(fixture.key, { path: `${PATH}/${id}/cancel`, method: "POST" });
  assertEquals([late.status, (await late.json()).error], [409, "conflict"]);
});

Deno.test("a form with a file works like the file alone, and the check of a file changes nothing", async () => {
  await using fixture = await batchApiFixture();
  const form = new FormData();
  form.set("title", "Diploma");
  form.set("date", "2026-11-20");
  form.set("file", new File([FILE], "students.csv", { type: "text/csv" }));
  const checked = await fixture.check(form, { query: "" });
  assertEquals([checked.status, await checked.json()], [
    200,
    { object: "batch_check", rows: 2, left_out: [] },
  ]);
  assertEquals((await (await fixture.get("")).json()).data, []);
  form.set("file", new File([FILE], "students.csv", { type: "text/csv" }));
  const created = await fixture.post(form, { query: "" });
  assertEquals([created.status, (await created.json()).file_name], [201, "students.csv"]);
});

Deno.test("rows that cannot be printed are left out if it is wanted, and the check names them", async () => {
  await using fixture = await batchApiFixture();
  const file = `${FILE}\n𓂀;eye@example.org;\n`;
  const refused = await fixture.check(file);
  assertEquals([refused.status, (await refused.json()).unprintable_rows], [400, 1]);
  const query = `${QUERY}&unprintable=leave_out`;
  const checked = await (await fixture.check(file, { query })).json();
  assertEquals([checked.rows, checked.left_out.length, checked.left_out[0].value], [2, 1, "𓂀"]);
  const created = await fixture.post(file, { query });
  assertEquals([created.status, (await created.json()).rows], [201, 2]);
});

Deno.test("checks of files count towards a limit of 120 an hour, also of faulty files, live and as tests", async () => {
  await using fixture = await batchApiFixture();
  const { issuer, clock, site: { services: { kv } } } = fixture;
  const times = Array.from({ length: CHECKS_PER_HOUR - 3 }, () => clock.now);
  const expires_at = new Date(clock.now + HOUR_MS).toISOString();
  await kv.set(checkLimits.of([issuer.id]).key, { times, expires_at }, { expireIn: HOUR_MS });
  clock.now += 1;
  const checked = async (by?: string, file = FILE) => {
    const response = await fixture.check(file, { by });
    await response.body?.cancel();
    return [response.status, response.headers.get("retry-after")];
  };
  assertEquals(await checked(), [200, null]);
  assertEquals(await checked(fixture.testKey), [200, null]);
  assertEquals(await checked(undefined, "name,email\nGrace,grace\n"), [400, null]);
  for (const by of [fixture.key, fixture.testKey]) {
    assertEquals(await checked(by), [429, String(HOUR_MS / SECOND_MS)]);
  }
  clock.now += HOUR_MS - 1;
  assertEquals(await checked(), [200, null]);
});

Deno.test("a file with faulty rows is refused with each problem, and nothing is stored", async () => {
  await using fixture = await batchApiFixture();
  const response = await fixture.post("name,email\nGrace,grace\n𓂀,lee@example.org\n");
  assertEquals(response.status, 400);
  const { error, rows, problems, faulty_rows, message } = await response.json();
  assertEquals([error, problems, faulty_rows], ["invalid_rows", 2, 2]);
  assertEquals(message, "2 rows of 2 have problems, so nothing was issued.");
  assertEquals(
    rows.map(({ line, column, value }: Record<string, string>) => [line, column, value]),
    [
      [2, "email", "grace"],
      [3, "name", "𓂀"],
    ],
  );
  assertStringIncludes(rows[1].reason, "The fonts cannot show “𓂀”");
  for (const [query, field] of [["?titel=A", "titel"], ["?date=1.2.2026", "date"]]) {
    const refused = await fixture.post(FILE, { query });
    assertEquals([refused.status, Object.keys((await refused.json()).issues)], [400, [field]]);
  }
  const json = await fixture.post("{}", { headers: { "content-type": "application/json" } });
  assertEquals(json.status, 415);
  const large = await fixture.post("x".repeat(9 * 1024 * 1024));
  assertEquals(large.status, 413);
  const { kv } = fixture.site.services;
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["issuing_batches"] })), []);
});

Deno.test("a file has the same fields as the request for one document", async () => {
  await using fixture = await batchApiFixture();
  fixture.clock.now = Date.parse("2026-11-20T12:00:00Z");
  const values: [column: string, value: string, isValid: boolean][] = [
    ["external_id", "grace@example.org", false],
    ["external_id", "A\u200B1", true],
    ["external_id", " A-1 ", true],
    ["expires_on", "2026-11-19", false],
    ["expires_on", "2026-11-20", true],
    ["date", "1999-12-31", true],
    ["date", "20.11.2026", false],
    ["name", "!!", false],
    ["name", "x".repeat(101), false],
    ["email", "grace", false],
    ["title", "x".repeat(121), false],
    ["type", "x".repeat(61), false],
    ["grade", "x".repeat(61), false],
  ];
  for (const [column, value, isValid] of values) {
    const row: Record<string, string> = {
      name: "Grace Student",
      email: "grace@example.org",
      title: "Certificate III",
      type: "Certificate",
      date: "2000-01-01",
      [column]: value,
    };
    const csv = [Object.keys(row), Object.values(row)].map((cells) => cells.join(";")).join("\n");
    const file = await fixture.check(csv, { query: "" });
    const { name, email, external_id, title, type, date, expires_on, ...fields } = row;
    const json = {
      ...{ recipient: { name, email }, external_id, title, type, date, expires_on },
      template: { name: "certificate", fields },
    };
    const one = await fixture.call(fixture.testKey, {
      path: "/api/documents",
      method: "POST",
      body: JSON.stringify(json),
      headers: { "content-type": "application/json" },
    });
    assertEquals([column, value, one.ok, file.ok], [column, value, isValid, isValid]);
    if (isValid) continue;
    const { issues } = await one.json();
    const [{ column: named, reason }] = (await file.json()).rows;
    assertEquals([named, reason], [column, Object.values(issues)[0]]);
  }
  const late = await fixture.post(FILE, { query: `${QUERY}&expires_on=2026-11-19` });
  assertEquals([late.status, Object.keys((await late.json()).issues)], [400, ["expires_on"]]);
});

Deno.test("a repeated request with an Idempotency-Key begins no second batch", async () => {
  await using fixture = await batchApiFixture();
  const headers = { "idempotency-key": "batch-1" };
  const [first, again] = [
    await fixture.post(FILE, { headers }),
    await fixture.post(FILE, { headers }),
  ];
  assertEquals([first.status, again.status, again.headers.get("idempotent-replayed")], [
    201,
    201,
    "true",
  ]);
  assertEquals(await again.json(), await first.json());
  const other = await fixture.post(`${FILE}\r\nEve;eve@example.org;3`, { headers });
  assertEquals([other.status, (await other.json()).error], [409, "idempotency_mismatch"]);
  await fixture.run();
  assertEquals((await (await fixture.get("")).json()).data.length, 1);
});

Deno.test("the same rows without an Idempotency-Key are refused for ten minutes, with the id of the first batch", async () => {
  await using fixture = await batchApiFixture();
  const { clock, post } = fixture;
  const sent = async (options: Parameters<typeof post>[1] = {}, file = FILE) => {
    const response = await post(file, options);
    const { error, batch, id } = await response.json();
    return { status: response.status, error, batch, id };
  };
  const first = await sent();
  assertEquals(first.status, 201);
  const refused = { status: 409, error: "duplicate_batch", batch: first.id, id: undefined };
  assertEquals(await sent(), refused);
  await fixture.run();
  await fixture.call(fixture.key, { path: `${PATH}/${first.id}/send`, method: "POST" });
  await fixture.run();
  clock.now += 10 * MINUTE_MS - 1;
  assertEquals(await sent(), refused, "it is done");
  const form = new FormData();
  form.set("title", "Certificate III");
  form.set("date", "2026-11-20");
  form.set("file", new File([FILE], "students.csv", { type: "text/csv" }));
  assertEquals((await post(form, { query: "" })).status, 409, "the same rows in a form");
  const others = [
    await sent({}, `${FILE}\r\nEve;eve@example.org;3`),
    await sent({ query: `${QUERY}&type=Diploma` }),
    await sent({ by: fixture.testKey }),
    await sent({ by: (await fixture.create()).key }),
    await sent({ query: `${QUERY}&allow_duplicate=true` }),
    await sent({ headers: { "idempotency-key": "again" } }),
  ];
  assertEquals(others.map(({ status }) => status), others.map(() => 201));
  clock.now += 10 * MINUTE_MS;
  const later = await sent();
  assertEquals(later.status, 201, "ten minutes later");
  await fixture.call(fixture.key, { path: `${PATH}/${later.id}/cancel`, method: "POST" });
  const again = await sent();
  assertEquals(again.status, 201, "a cancelled one does not count");
});

Deno.test("a request whose first attempt died while its rows were stored has to wait, without an id, and is then accepted", async () => {
  await using fixture = await batchApiFixture();
  const { kv } = fixture.site.services;
  const first = await (await fixture.post(FILE)).json();
  const { value } = await batchTable.get(kv, first.id);
  const commit = kv.atomic();
  batchTable.delete(commit, value!);
  batchTable.set(commit, { ...value!, state: "storing" }, fixture.clock.now);
  await commit.commit();
  const refused = await fixture.post(FILE);
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "30"]);
  const { error, batch } = await refused.json();
  assertEquals([error, batch], ["unavailable", undefined]);
  fixture.clock.now += 10 * MINUTE_MS;
  assertEquals((await fixture.post(FILE)).status, 201);
});

Deno.test("of equal requests at the same time, one begins a batch", async () => {
  await using fixture = await batchApiFixture();
  const { services } = fixture.site;
  const owner = { issuer: fixture.issuer, test: true };
  const checked = unwrap(
    await services.batches.check(fixture.issuer, [new TextEncoder().encode(FILE)], DEFAULTS),
  );
  const file = { name: null, by: "key k1", rows: checked.rows };
  const added = await Promise.all(
    Array.from(
      { length: 4 },
      () => services.batches.add(owner, { ...file, allowDuplicate: false }),
    ),
  );
  assertEquals(added.filter(({ ok }) => ok).length, 1);
  assertEquals((await services.batches.list(owner)).length, 1);
});

Deno.test("eleven live batches cannot wait at once, but eleven tests can, which mail nobody", async () => {
  await using fixture = await batchApiFixture();
  const begin = async (by: string) => {
    const statuses: number[] = [];
    for (let i = 0; i <= MAX_UNFINISHED; i++) {
      const response = await fixture.post(`name,email\nGrace,grace${i}@example.org`, { by });
      await response.body?.cancel();
      statuses.push(response.status);
      await fixture.run();
    }
    return statuses.at(-1);
  };
  assertEquals([await begin(fixture.key), await begin(fixture.testKey)], [409, 201]);
});

Deno.test("the text of the certificates is a field of the form, and not a parameter of the URL", async () => {
  await using fixture = await batchApiFixture();
  const response = await fixture.post(FILE, { query: `${QUERY}&body=Well+done` });
  assertEquals([response.status, Object.keys((await response.json()).issues)], [400, ["body"]]);
});

Deno.test("a batch is not found by other issuers, in the other mode, or with the wrong scope", async () => {
  await using fixture = await batchApiFixture();
  const other = await (await addIssuer(fixture.site, "Quay School")).key();
  const test = fixture.testKey;
  const { id } = await (await fixture.post(FILE)).json();
  for (const key of [other, test]) {
    for (const path of ["", "/results"]) {
      assertEquals((await fixture.get(`/${id}${path}`, {}, key)).status, 404);
    }
    for (const act of ["send", "cancel"]) {
      const options = { path: `${PATH}/${id}/${act}`, method: "POST" };
      assertEquals((await fixture.call(key, options)).status, 404);
    }
    assertEquals((await (await fixture.get("", {}, key)).json()).data, []);
  }
  const { key: reader } = await fixture.create({ scopes: ["documents:read"] });
  assertEquals((await fixture.post(FILE, { by: reader })).status, 403);
});

Deno.test("a batch stops while its issuer is suspended, and when its key is revoked", async () => {
  await using fixture = await batchApiFixture();
  const { issuerKeys, mailer } = fixture.site.services;
  const { key, row } = await fixture.create();
  const stateOf = async (id: string) => {
    const { state, stopped } = await (await fixture.get(`/${id}`)).json();
    return [state, stopped];
  };
  const { id } = await (await fixture.post(FILE, { by: key })).json();
  await fixture.setState("suspended");
  await fixture.run();
  assertEquals(await stateOf(id), ["issuing", "issuer_suspended"]);
  await fixture.setState("active");
  await fixture.run();
  assertEquals(await stateOf(id), ["holding", null]);
  await issuerKeys.revoke({ issuer: fixture.issuer.id, by: "admin@example.org", key: row.id });
  fixture.clock.now += HOLD_MS - 1;
  await fixture.run();
  assertEquals(await stateOf(id), ["holding", "key_revoked"]);
  // Somebody who has another key decides.
  await fixture.call(fixture.key, { path: `${PATH}/${id}/send`, method: "POST" });
  await fixture.run();
  assertEquals(await stateOf(id), ["done", null]);
  await mailer.flush();

  const next = (await (await fixture.post(FILE.replaceAll("A-2", "A-3"))).json()).id;
  await fixture.run();
  await fixture.setState("ended");
  await fixture.run();
  await fixture.setState("active");
  assertEquals(await stateOf(next), ["undone", null]);
});

for (const ends of ["its key is revoked", "its issuer is suspended"]) {
  for (const state of ["issuing", "sending"]) {
    Deno.test(`a batch in the state ${state} does nothing from the moment on in which ${ends}`, async () => {
      const kv = raceKv(await openKv(":memory:"));
      await using fixture = await batchApiFixture({ kv });
      const { key, row } = await fixture.create();
      const file = "name,email\nGrace,grace@example.org";
      const { id } = await (await fixture.post(file, { by: key })).json();
      if (state === "sending") {
        await fixture.run();
        fixture.clock.now += HOLD_MS;
      }
      const rows = () => Array.fromAsync(kv.list({ prefix: ["issuing_batch_rows"] }));
      const change = { issuer: fixture.issuer.id, by: BY, key: row.id };
      kv.meanwhile("issuing_batch_rows", async () => {
        if (ends.includes("suspended")) await fixture.setState("suspended");
        else unwrap(await fixture.site.services.issuerKeys.revoke(change));
      });
      const before = await rows();
      await fixture.run();
      assertEquals(await rows(), before);
      await fixture.setState("active");
      assertEquals((await (await fixture.get(`/${id}`)).json()).state, state);
    });
  }
}

Deno.test("a batch that is removed while its rows are stored leaves no rows", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await batchApiFixture({ kv });
  kv.meanwhile("issuing_batch_rows", async () => {
    fixture.clock.now += STORING_MS;
    await fixture.run();
  });
  assertEquals((await fixture.post(FILE)).status, 503);
  assertEquals(await valuesOf(kv, "issuing_batches"), []);
  assertEquals(await valuesOf(kv, "issuing_batch_rows"), []);
});

Deno.test("a stream sends the batch when it changes, and ends with it", async () => {
  await using fixture = await batchApiFixture();
  const { id } = await (await fixture.post(FILE)).json();
  const response = await fixture.get(`/${id}`, { accept: "text/event-stream" });
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  })();
  const states = () => [...text.matchAll(/"state":"(\w+)"/g)].map(([, state]) => state);
  const poll = () => fixture.site.services.streams.changed(["issuing_batches", id]);
  await until(() => states().length === 1, "the first event");
  await fixture.run();
  poll();
  await until(() => states().at(-1) === "holding", "the documents to be issued");
  fixture.clock.now += HOLD_MS;
  await fixture.run();
  poll();
  await reading;
  assertEquals(states().at(-1), "done");
  assert(!text.includes("event:"), "an EventSource delivers it to onmessage");
});

Deno.test("a batch that has stopped is undone when its mails are due, and can then not be cancelled", async () => {
  await using fixture = await batchApiFixture();
  const { id } = await (await fixture.post(FILE)).json();
  await fixture.run();
  const issuing = (await (await fixture.post(FILE.replaceAll("A-2", "A-3"))).json()).id;
  await fixture.setState("suspended");
  fixture.clock.now += HOLD_MS;
  const { batches } = fixture.site.services;
  const owner = { issuer: { ...fixture.issuer, state: "suspended" as const }, test: false };
  for (const act of ["cancel", "send"] as const) {
    const refused = await batches[act](owner, id, "admin@example.org");
    assertEquals(refused.ok ? null : refused.error, "conflict", act);
  }
  const stateOf = async (id: string) => (await (await fixture.get(`/${id}`)).json()).state;
  await fixture.run();
  assertEquals([await stateOf(id), await stateOf(issuing)], ["undone", "issuing"]);
  fixture.clock.now += STOPPED_MS;
  await fixture.run();
  assertEquals(await stateOf(issuing), "undone");
});

Deno.test("a key that is replaced at once stops its batch, and a stream ends with its issuer", async () => {
  await using fixture = await batchApiFixture();
  const { issuerKeys, streams } = fixture.site.services;
  const { key, row } = await fixture.create();
  const { id } = await (await fixture.post(FILE, { by: key })).json();
  const change = { issuer: fixture.issuer.id, by: "admin@example.org", key: row.id };
  unwrap(await issuerKeys.rotate({ ...change, overlap_hours: 0 }));
  const { stopped } = await (await fixture.get(`/${id}`)).json();
  assertEquals(stopped, "key_revoked");

  const response = await fixture.get(`/${id}`, { accept: "text/event-stream" });
  const stream = readStream(response);
  await stream.next(); // only sets the position
  assertEquals((await stream.next())?.data.object, "batch");
  await fixture.setState("ended");
  await fixture.run();
  streams.changed(["issuing_batches", id]);
  assertEquals(await stream.next(), null);
});

Deno.test("webhooks report the documents of a batch, and how it ends, without names and addresses", async () => {
  await using fixture = await batchApiFixture();
  const { webhooks, kv } = fixture.site.services;
  const owner = { issuer: fixture.issuer.id, mode: "live", key: "none" } as const;
  const input = newEndpointSchema.parse({ url: "https://college.example/events" });
  const { endpoint } = unwrap(await webhooks.create(owner, input));
  const typesOf = async () => {
    await webhooks.flush();
    const { deliveries } = unwrap(await webhooks.deliveries(endpoint, 100));
    return deliveries.map(({ type }) => type).sort();
  };
  const { id } = await (await fixture.post(FILE)).json();
  await fixture.run();
  await fixture.call(fixture.key, { path: `${PATH}/${id}/cancel`, method: "POST" });
  await fixture.run();
  assertEquals(await typesOf(), [
    "batch.undone",
    "document.erased",
    "document.erased",
    "document.issued",
    "document.issued",
  ]);
  const rows = await Array.fromAsync(kv.list({ prefix: ["webhook_deliveries"] }));
  assertEquals(JSON.stringify(rows).includes("Zoë"), false);
  const next = (await (await fixture.post(FILE)).json()).id;
  await fixture.call(fixture.key, { path: `${PATH}/${next}/send`, method: "POST" });
  await fixture.run();
  assert((await typesOf()).includes("batch.completed"));
});
