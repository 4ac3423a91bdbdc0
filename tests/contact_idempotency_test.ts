import { assert, assertEquals, assertFalse } from "@std/assert";
import { createChains } from "../lib/features/chain/mod.ts";
import type { Registered } from "../lib/features/contact/receipt.ts";
import {
  contactUrls,
  createContact,
  createContactIndex,
  deleteContact,
  submissionSchema,
} from "../lib/features/contact/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { QueuedMail } from "../lib/platform/mail/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { DAY_MS, HOUR_MS } from "../lib/base/time.ts";
import { contactFixture, errorOf, PERSON, statusOf } from "./contact_site.ts";

const key = (value: string) => ({ headers: { "idempotency-key": value } });

Deno.test("a retry gets the same response, and nothing is stored, counted or mailed", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  const first = await fixture.send(PERSON, key("k1"));
  const registered: Registered = await first.json();
  await fixture.mails(); // waits until they are sent
  const before = await fixture.entries();
  fixture.clock.now += HOUR_MS - 1;
  const changes = [{}, { elapsed_ms: 90_000 }, { challenge: "another" }, { name: " Ada Example" }];
  for (const change of changes) {
    const retry = await fixture.send({ ...PERSON, ...change }, key("k1"));
    const [sent, before] = [retry, first].map(({ headers }) =>
      [...headers].filter(([name]) => name !== "request-id")
    );
    assertEquals([retry.status, sent], [201, before]);
    assertEquals(await retry.json(), registered);
  }
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 1);
  assertEquals(await statusOf(fixture.send(PERSON, key("k2"))), 429);
});

Deno.test("a retry returns the latest events of the chain", async () => {
  await using fixture = await contactFixture();
  const { hash } = await (await fixture.send(PERSON, key("k"))).json();
  const retry = async (): Promise<Registered> => (await fixture.send(PERSON, key("k"))).json();
  await fixture.site.services.chains.append(hash, "record_verified");
  const { hash: again, head, events } = await retry();
  assertEquals([again, head.size], [hash, 2]);
  assertEquals(events.map(({ kind }) => kind), ["hash_generated", "record_verified"]);
  for (let i = 0; i < 8; i++) await fixture.site.services.chains.append(hash, "record_verified");
  assertEquals((await retry()).events.map(({ seq }) => seq), [5, 6, 7, 8, 9]);
});

Deno.test("the same key with different fields returns 409, and nothing is stored", async () => {
  await using fixture = await contactFixture();
  await statusOf(fixture.send(PERSON, key("k")));
  await fixture.mails(); // waits until they are sent
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
    const { status, error } = await errorOf(await fixture.send({ ...PERSON, ...change }, key("k")));
    assertEquals([status, error], [409, "idempotency_mismatch"]);
  }
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 1);
});

Deno.test("a key expires after 24 hours", async () => {
  await using fixture = await contactFixture();
  const hashOf = async () => (await (await fixture.send(PERSON, key("k"))).json()).hash;
  const hash = await hashOf();
  fixture.clock.now += DAY_MS - 1;
  assertEquals(await hashOf(), hash);
  fixture.clock.now += 1;
  const another = await hashOf();
  assert(another !== hash);
  assertEquals(await hashOf(), another);
  assertEquals(await fixture.count("contacts"), 2);
});

Deno.test("a key consists of 1 to 255 visible ASCII characters", async () => {
  await using fixture = await contactFixture();
  for (const value of ["", "x".repeat(256), "a b", "caf\u00e9"]) {
    const { status, issues } = await errorOf(await fixture.send(PERSON, key(value)));
    assertEquals([status, Object.keys(issues!)], [400, ["idempotency_key"]], value);
  }
  for (const value of ["x", "~".repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"']) {
    assertEquals(await statusOf(fixture.send(PERSON, key(value))), 201, value);
  }
  const entries = await fixture.entries();
  assertFalse(entries.some(({ key, text }) => (key + text).includes("8e03978e")));
});

Deno.test("20 concurrent requests with one key create one record and one mail, and get the same response", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "3" });
  const responses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await fixture.send(PERSON, key("twin"));
      return [response.status, await response.json()];
    }),
  );
  for (const response of responses) assertEquals(response, responses[0]);
  assertEquals(responses[0][0], 201);
  for (const prefix of ["contacts", "chains", "contact_confirmations"]) {
    assertEquals(await fixture.count(prefix), 1, prefix);
  }
  assertEquals((await fixture.mails()).length, 1);
});

/** Makes each reader of an idempotency key wait for all others, in each of several rounds. */
function barrier(parties: number, rounds: number): (kv: Deno.Kv) => Deno.Kv {
  const barriers = Array.from(
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
          const barrier = key[0] === "contact_requests" ? barriers[round++] : undefined;
          if (barrier !== undefined) {
            if (--barrier.left === 0) barrier.resolve();
            await barrier.promise;
          }
          return entry;
        };
      },
    });
  };
}

Deno.test("20 concurrent requests with one key that share only a file create one record", async () => {
  await using store = await tempKv();
  // Two handles on one file, and a contact form for each request. When the first one commits, all
  // of them have read that the key is free, both before and inside their commits.
  const synchronised = barrier(20, 2);
  const other = await openKv(store.path);
  await using fixture = await contactFixture({}, { kv: await openKv(store.path) });
  const { services } = fixture.site;
  const urls = contactUrls(services.surfaces.get("api")!, services)!;
  const submission = submissionSchema.parse(PERSON);
  const mailed: string[] = [];
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const { clock, chains: { publisher } } = services;
      const kv = synchronised(i % 2 === 0 ? store.kv : other);
      const secrets = createSecrets({ kv, given: [] });
      const contact = createContact({
        kv,
        clock,
        chains: createChains({ kv, clock, publisher, signingKey: undefined }),
        index: createContactIndex({ kv, secrets }),
        secrets,
        mailer: {
          ...services.mailer,
          send: (mails) => void mailed.push(...(mails as QueuedMail[]).map((m) => m.payload.to)),
        },
        fetch,
        config: { clientLimit: 0 },
        isFormHost: () => true,
        organisations: services.config.organisations,
      });
      const sender = {
        organisation: "commercial",
        clientAddress: "203.0.113.1",
        idempotencyKey: "twin",
      } as const;
      const result = await contact.register(submission, sender, urls);
      if (!result.ok) throw new Error(result.error);
      return [result.registered.chain.hash, result.mails.length];
    }),
  );
  other.close();
  assertEquals(new Set(results.map(([hash]) => hash)).size, 1);
  assertEquals(results.filter(([, mails]) => mails === 1).length, 1);
  assertEquals(mailed, ["ada.q@mail.example.org"]);
  for (const prefix of ["contacts", "chains", "chain_events"]) {
    assertEquals(await fixture.count(prefix), 1, prefix);
  }
});

Deno.test("of two concurrent requests with one key and different fields, one gets 409", async () => {
  await using fixture = await contactFixture();
  const statuses = await Promise.all(
    ["One", "Other"].map((name) => statusOf(fixture.send({ ...PERSON, name }, key("twin")))),
  );
  assertEquals(statuses.toSorted(), [201, 409]);
  assertEquals(await fixture.count("contacts"), 1);
});

Deno.test("a refused request does not use up its key", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  await statusOf(fixture.send(PERSON));
  assertEquals(await statusOf(fixture.send(PERSON, key("k"))), 429);
  assertEquals(await statusOf(fixture.send({ ...PERSON, email: "" }, key("k"))), 400);
  fixture.clock.now += HOUR_MS;
  assertEquals(await statusOf(fixture.send(PERSON, key("k"))), 201);
});

Deno.test("a deleted contact's key returns 409", async () => {
  await using fixture = await contactFixture();
  const { hash } = await (await fixture.send(PERSON, key("k"))).json();
  const { kv, contactIndex: index } = fixture.site.services;
  assert(await deleteContact({ kv, index }, hash));
  assertEquals(await statusOf(fixture.send(PERSON, key("k"))), 409);
  assertEquals(await fixture.count("contacts"), 0);
});
