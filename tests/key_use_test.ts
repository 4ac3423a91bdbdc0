import { assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { documentBody, issuerApiFixture } from "./issuer_api_site.ts";
import { BY, type KeyFixture, keyFixture } from "./key_site.ts";
import { createSite, type Site } from "./site.ts";

const CONTACT = "registry@harbour.example";

const setContact = async ({ services }: Site, id: string) =>
  void unwrap(
    await services.issuers.setContact({ organisation: "commercial", id, by: BY, contact: CONTACT }),
  );

/** Returns what the contact was mailed about unusual uses, oldest first, and the alerts. */
async function noticesOf({ services }: Site): Promise<{ mails: string[]; alerts: unknown[] }> {
  await services.issuerKeys.settled();
  await services.mailer.flush();
  const mails = services.devOutbox!.list().filter(({ to }) => to === CONTACT).toReversed()
    .map(({ subject }) => subject.replace("An API key of Harbour College ", ""))
    .filter((subject) => !subject.startsWith("was created"));
  const { alerts } = await services.alerts.list("commercial");
  const unusual = alerts.filter(({ kind }) => kind === "api_key_unusual");
  return { mails, alerts: unusual.map(({ reports: [{ details }] }) => details.what) };
}

const NEW_NETWORK = "was used from a new network";

/** A key, and what uses it from an address. */
async function usedKey(fixture: KeyFixture, mode: "live" | "test" = "live") {
  await setContact(fixture.site, fixture.issuer.id);
  const { key, row } = await fixture.create({ mode });
  return {
    row,
    use: async (from: string) => {
      const response = await fixture.call(key, { from });
      await response.body?.cancel();
      await fixture.site.services.issuerKeys.settled();
      return response.status;
    },
  };
}

Deno.test("a network is new to a key that is older than 30 days, and the mail has a link that revokes it", async () => {
  await using fixture = await keyFixture();
  const { clock, site } = fixture;
  const { use, row } = await usedKey(fixture);
  await use("203.0.113.7");
  clock.now += 30 * DAY_MS;
  await use("198.51.100.1");
  assertEquals((await noticesOf(site)).mails, []);
  clock.now += 1;
  for (const known of ["203.0.113.99", "198.51.100.200"]) await use(known);
  assertEquals((await noticesOf(site)).mails, []);
  await use("192.0.2.5");
  assertEquals(await noticesOf(site), { mails: [NEW_NETWORK], alerts: ["network"] });
  const [{ text, link }] = site.services.devOutbox!.list();
  assertStringIncludes(text, "Network: 192.0.2.0/24");
  assertStringIncludes(text, `gh_live_…${row.last4}`);
  const { pathname, search } = new URL(link!);
  assertEquals(pathname, "/keys/revoke");
  const { origin } = new URL(site.services.surfaces.url("trust")!);
  const revoked = await site.request("trust", pathname, {
    method: "POST",
    headers: { origin },
    body: new URLSearchParams(search),
  });
  await revoked.body?.cancel();
  assertEquals([revoked.status, await use("192.0.2.5")], [200, 401]);
});

Deno.test("each new network of a key is mailed once, at most three a day, and the others when they are used again", async () => {
  await using fixture = await keyFixture();
  const { clock, site } = fixture;
  const { use } = await usedKey(fixture);
  clock.now += 31 * DAY_MS;
  const networks = async () => {
    await noticesOf(site);
    return site.services.devOutbox!.list().toReversed()
      .flatMap(({ text }) => text.match(/Network: (\S+)/)?.[1] ?? []);
  };
  const from = (...ids: number[]) => ids.map((id) => `192.0.${id}.0/24`);
  for (const id of [1, 2, 3, 4, 5, 1]) await use(`192.0.${id}.1`);
  assertEquals(await networks(), from(1, 2, 3));
  clock.now += DAY_MS - 1;
  await use("192.0.6.1");
  assertEquals(await networks(), from(1, 2, 3));
  clock.now += 1;
  for (const id of [5, 1, 2, 4]) await use(`192.0.${id}.2`);
  assertEquals(await networks(), from(1, 2, 3, 5, 4));
  clock.now += 2 * DAY_MS;
  for (const id of [1, 2, 3, 4, 5]) await use(`192.0.${id}.3`);
  assertEquals(await networks(), from(1, 2, 3, 5, 4));
  await use("2001:db8:1::1");
  await use("2001:db8:1:ffff::2");
  assertEquals(await networks(), [...from(1, 2, 3, 5, 4), "2001:db8:1::/48"]);
});

Deno.test("two processes that see a new network at the same time mail once, and a process that starts knows the others' networks", async () => {
  await using store = await tempKv();
  await using fixture = await keyFixture({}, { kv: await openKv(store.path) });
  const { clock, site } = fixture;
  const { key } = await fixture.create();
  await setContact(site, fixture.issuer.id);
  await using other = await createSite({}, {
    kv: await openKv(store.path),
    clock: () => clock.now,
  });
  clock.now += 31 * DAY_MS;
  const useBoth = async (from: string) => {
    const responses = await Promise.all(
      [site, other].map((on) => fixture.call(key, { from, on })),
    );
    for (const response of responses) await response.body?.cancel();
    const notices = await Promise.all([noticesOf(site), noticesOf(other)]);
    return notices.flatMap(({ mails }) => mails);
  };
  assertEquals(await useBoth("192.0.2.5"), [NEW_NETWORK]);
  clock.now += 2 * DAY_MS;
  assertEquals((await useBoth("192.0.2.6")).length, 1);
});

Deno.test("networks of test keys are not stored, those of a key that is removed are erased, and at most 50 are kept", async () => {
  await using fixture = await keyFixture();
  const { clock, site: { services } } = fixture;
  const test = await usedKey(fixture, "test");
  await test.use("192.0.2.5");
  const stored = () => valuesOf(services.kv, "api_key_networks");
  assertEquals(await stored(), []);
  const { use, row } = await usedKey(fixture);
  for (let i = 0; i < 52; i++) await use(`10.0.${i}.1`);
  assertEquals((await stored()).length, 50);
  clock.now += 31 * DAY_MS;
  await use("192.0.2.5");
  assertEquals((await noticesOf(fixture.site)).mails, []);
  unwrap(await services.issuerKeys.revoke({ issuer: fixture.issuer.id, by: BY, key: row.id }));
  clock.now += 91 * DAY_MS;
  await services.jobs.run("due-nightly");
  assertEquals(await stored(), []);
});

const WITHDRAWN = "has withdrawn many documents";

Deno.test("the 21st withdrawal of a key within an hour is mailed and raises an alert, and neither tests nor repetitions count", async () => {
  await using fixture = await issuerApiFixture();
  const { site, clock, live, test } = fixture;
  await setContact(site, fixture.issuer.id);
  let count = 0;
  const withdraw = async (call = live, requests = 1) => {
    count++;
    const json = documentBody({
      recipient: { name: "Grace", email: `grace${count}@example.org` },
      file: btoa(`Certificate ${count}`),
    });
    const { id } = await (await call("/api/documents", { json })).json();
    const request = { json: { reason: "Annulled." }, once: `withdraw-${count}` };
    for (let i = 0; i < requests; i++) {
      const response = await call(`/api/documents/${id}/withdraw`, request);
      assertEquals(response.status, 200, await response.text());
    }
  };
  for (let i = 0; i < 21; i++) await withdraw(test);
  await withdraw(live, 20);
  for (let i = 1; i < 20; i++) await withdraw();
  assertEquals(await noticesOf(site), { mails: [], alerts: [] });
  clock.now += HOUR_MS;
  for (let i = 0; i < 20; i++) await withdraw();
  assertEquals((await noticesOf(site)).mails, []);
  clock.now += HOUR_MS - MINUTE_MS;
  await withdraw();
  assertEquals(await noticesOf(site), { mails: [WITHDRAWN], alerts: ["withdrawals"] });
  await withdraw();
  assertEquals((await noticesOf(site)).mails, [WITHDRAWN]);
  const [{ text }] = site.services.devOutbox!.list().filter(({ to }) => to === CONTACT);
  assertStringIncludes(text, "more than 20 documents within an hour");
  assertStringIncludes(text, "/keys/revoke?of=");
});

Deno.test("21 withdrawals at the same time are all counted, and mailed once", async () => {
  await using fixture = await issuerApiFixture();
  const { site, live } = fixture;
  await setContact(site, fixture.issuer.id);
  const ids = await Promise.all(
    Array.from({ length: 21 }, async (_, i) => {
      const json = documentBody({
        recipient: { name: "Grace", email: `grace${i}@example.org` },
        file: btoa(`Certificate ${i}`),
      });
      return (await (await live("/api/documents", { json })).json()).id;
    }),
  );
  const statuses = await Promise.all(ids.map(async (id) => {
    const response = await live(`/api/documents/${id}/withdraw`, { json: { reason: "No." } });
    await response.body?.cancel();
    return response.status;
  }));
  assertEquals(statuses, Array(21).fill(200));
  assertEquals(await noticesOf(site), { mails: [WITHDRAWN], alerts: ["withdrawals"] });
});
