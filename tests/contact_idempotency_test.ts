import { assert, assertEquals, assertFalse } from "@std/assert";
import { createChains } from "../lib/chain/store/mod.ts";
import type { Registered } from "../lib/contact/receipt.ts";
import { contactUrls, createContact, deleteContact, submissionSchema } from "../lib/contact/mod.ts";
import { type ContactFixture, contactFixture, PERSON } from "./contact_site.ts";
import { openKv } from "../lib/kv/mod.ts";
import { tempKv } from "../lib/kv/testing/temp_kv.ts";

const HOUR = 3_600_000;
const key = (value: string) => ({ headers: { "idempotency-key": value } });

/** How many there are of a noun in the store. */
const count = async (fixture: ContactFixture, noun: string) =>
  (await fixture.entries()).filter(({ key }) => JSON.parse(key)[0] === noun).length;

Deno.test("a retry gets the same answer: one record, one mail, counted once, whatever the time it took", async () => {
  await using fixture = await contactFixture({
    CONTACT_CLIENT_LIMIT: "1",
    CONTACT_NOTIFY: "team@example.org",
  });
  const first = await fixture.send(PERSON, key("k1"));
  const answer: Registered = await first.json();
  const before = await fixture.entries();
  fixture.clock.now += HOUR - 1;
  for (
    const change of [{}, { elapsed_ms: 90_000 }, { challenge: "another" }, {
      name: " Ada Example",
    }]
  ) {
    const again = await fixture.send({ ...PERSON, ...change }, key("k1"));
    assertEquals([again.status, [...again.headers]], [201, [...first.headers]]);
    assertEquals(await again.json(), answer);
  }
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 2);
  assertEquals((await fixture.send(PERSON, key("k2"))).status, 429);
});

Deno.test("a retry after the chain has grown shows the same record with its chain as it is", async () => {
  await using fixture = await contactFixture();
  const { hash } = await (await fixture.send(PERSON, key("k"))).json();
  await fixture.site.services.chains.append(hash, "record_verified");
  const again: Registered = await (await fixture.send(PERSON, key("k"))).json();
  assertEquals([again.hash, again.head.size], [hash, 2]);
  assertEquals(again.events.map(({ kind }) => kind), ["hash_generated", "record_verified"]);
  for (let i = 0; i < 8; i++) await fixture.site.services.chains.append(hash, "record_verified");
  const later: Registered = await (await fixture.send(PERSON, key("k"))).json();
  assertEquals(later.events.map(({ seq }) => seq), [5, 6, 7, 8, 9]);
});

Deno.test("the same key with anything else in the form is 409, and nothing is kept of it", async () => {
  await using fixture = await contactFixture();
  await fixture.send(PERSON, key("k"));
  const before = await fixture.entries();
  const changes = [
    { name: "Eve" },
    { organisation: "" },
    { email: "eve@example.org" },
    { mobile: null },
    { mobile: { country: "AU", number: "0412345679" } },
    { enquiry_type: "Other" },
    { message: "Another" },
  ];
  for (const change of changes) {
    const response = await fixture.send({ ...PERSON, ...change }, key("k"));
    assertEquals([response.status, (await response.json()).error], [409, "idempotency_mismatch"]);
  }
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 1);
});

Deno.test("a key is good for 24 hours, then it is a new one", async () => {
  await using fixture = await contactFixture();
  const hashOf = async () => (await (await fixture.send(PERSON, key("k"))).json()).hash;
  const hash = await hashOf();
  fixture.clock.now += 24 * HOUR - 1;
  assertEquals(await hashOf(), hash);
  fixture.clock.now += 1;
  const another = await hashOf();
  assert(another !== hash);
  assertEquals(await hashOf(), another);
  assertEquals(await count(fixture, "contacts"), 2);
});

Deno.test("a key is 1 to 200 visible ASCII characters", async () => {
  await using fixture = await contactFixture();
  for (const value of ["", "x".repeat(201), "a b", "caf\u00e9"]) {
    const response = await fixture.send(PERSON, key(value));
    assertEquals(response.status, 400, value);
    assertEquals(Object.keys((await response.json()).issues), ["idempotency_key"]);
  }
  for (const value of ["x", "~".repeat(200), '"8e03978e-40d5-43dd-bc93-6894a57f9324"']) {
    assertEquals((await fixture.send(PERSON, key(value))).status, 201, value);
  }
  assertFalse((await fixture.entries()).some(({ key, text }) => (key + text).includes("8e03978e")));
});

Deno.test("20 twins at once make one record, one mail, one answer", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "3" });
  const twins = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await fixture.send(PERSON, key("twin"));
      return [response.status, await response.json()];
    }),
  );
  for (const twin of twins) assertEquals(twin, twins[0]);
  assertEquals(twins[0][0], 201);
  assertEquals(await count(fixture, "contacts"), 1);
  assertEquals(await count(fixture, "chains"), 1);
  assertEquals(await count(fixture, "contact_confirmations"), 1);
  assertEquals((await fixture.mails()).length, 1);
});

/** Makes stores whose readers of an idempotency key wait for each other, in each of some rounds. */
function meeting(parties: number, rounds: number): (kv: Deno.Kv) => Deno.Kv {
  const gates = Array.from(
    { length: rounds },
    () => ({ left: parties, ...Promise.withResolvers<void>() }),
  );
  return (kv) => {
    let round = 0;
    return new Proxy(kv, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (name !== "get") return typeof value === "function" ? value.bind(target) : value;
        return async (key: Deno.KvKey) => {
          const entry = await target.get(key);
          const gate = key[0] === "contact_requests" ? gates[round++] : undefined;
          if (gate !== undefined) {
            if (--gate.left === 0) gate.resolve();
            await gate.promise;
          }
          return entry;
        };
      },
    });
  };
}

Deno.test("20 twins at once that share nothing but a file make one record", async () => {
  await using store = await tempKv();
  // Two handles on one file, and a contact form for each twin: nothing is shared but the store. All
  // have read that the key is free, first before and then inside their commits, when the first one
  // writes.
  const meet = meeting(20, 2);
  const other = await openKv(store.path);
  await using fixture = await contactFixture({}, { kv: await openKv(store.path) });
  const { services } = fixture.site;
  const addresses = contactUrls(services.surfaces.get("api")!, services)!;
  const submission = submissionSchema.parse(PERSON);
  const posted: string[] = [];
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const { clock, chains: { publisher } } = services;
      const kv = meet(i % 2 === 0 ? store.kv : other);
      const contact = createContact({
        kv,
        clock,
        chains: createChains({ kv, clock, publisher, signingKey: undefined }),
        mailer: { ...services.mailer, post: ({ to }) => void posted.push(to) },
        fetch,
        config: { clientLimit: 0, notify: [] },
        isFormHost: () => true,
        organisation: "Attest",
      });
      const sender = { clientAddress: "203.0.113.1", idempotencyKey: "twin" };
      const result = await contact.register(submission, sender, addresses);
      if (!result.ok) throw new Error(result.error);
      return [result.registered.chain.hash, result.token !== undefined];
    }),
  );
  other.close();
  assertEquals(new Set(results.map(([hash]) => hash)).size, 1);
  assertEquals(results.filter(([, first]) => first).length, 1);
  assertEquals(posted, ["ada.q@mail.example.org"]);
  assertEquals(await count(fixture, "contacts"), 1);
  assertEquals(await count(fixture, "chains"), 1);
  assertEquals(await count(fixture, "chain_events"), 1);
});

Deno.test("twins that differ: one is registered, the other is told so", async () => {
  await using fixture = await contactFixture();
  const statuses = await Promise.all(["One", "Other"].map(async (name) => {
    const response = await fixture.send({ ...PERSON, name }, key("twin"));
    return response.status;
  }));
  assertEquals(statuses.toSorted(), [201, 409]);
  assertEquals(await count(fixture, "contacts"), 1);
});

Deno.test("a refused request leaves its key free", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  await fixture.send(PERSON);
  assertEquals((await fixture.send(PERSON, key("k"))).status, 429);
  assertEquals((await fixture.send({ ...PERSON, email: "" }, key("k"))).status, 400);
  fixture.clock.now += HOUR;
  assertEquals((await fixture.send(PERSON, key("k"))).status, 201);
});

Deno.test("the key of a contact that was deleted registers nothing again", async () => {
  await using fixture = await contactFixture();
  const { hash } = await (await fixture.send(PERSON, key("k"))).json();
  assert(await deleteContact(fixture.site.services.kv, hash));
  assertEquals((await fixture.send(PERSON, key("k"))).status, 409);
  assertEquals(await count(fixture, "contacts"), 0);
});
