/**
 * A day on the stand-in for Deno Deploy, on which nobody visits the site. Run it with
 * `deno task test:deploy`; it takes a few minutes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../lib/app/config.ts";
import { createServices, type Services } from "../../lib/app/services.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/base/time.ts";
import { batchDefaults } from "../../lib/features/issuing/batches/mod.ts";
import { newEndpointSchema } from "../../lib/features/webhooks/mod.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { valuesOf } from "../../lib/platform/kv/testing/temp_kv.ts";
import { PERSON } from "../contact_site.ts";
import { NOWHERE } from "../webhook_scenarios.ts";
import { MEMORY_MIB, type Platform, startPlatform } from "./platform.ts";

const BUILD = new URL("../../_fresh", import.meta.url).pathname;
const MINUTES = Number(Deno.env.get("DEPLOY_MINUTES") ?? 1440);
/** The first ones of the day, in which each cron starts a new instance. */
const ALONE_MINUTES = 5;
/** How long an instance then runs, because the platform counts crons as requests. */
const EVICTED_MINUTES = 60;
/** From when on the mail provider and the issuer's server respond. */
const WELL_MINUTE = 10;
const ROWS = 3;

Deno.test("in a day without visitors, everything is sent, published, issued and deleted, and nothing twice", async () => {
  await using platform = await startPlatform(BUILD);
  const { kv, providers } = platform;
  providers.refuses = true;
  const [person, leaver] = ["person@example.org", "leaver@example.org"];
  const hashes: string[] = [];
  for (const email of [person, leaver]) {
    const response = await platform.send("api", "/api/ir/register", { json: { ...PERSON, email } });
    assertEquals(response.status, 201);
    hashes.push((await response.json()).hash);
  }
  const endpoint = await prepare(platform, hashes[1]);
  await platform.end();

  const took: number[] = [];
  let published: number | null = null;
  for (let minute = 1; minute <= MINUTES; minute++) {
    if (minute === WELL_MINUTE) providers.refuses = false;
    await platform.pass(MINUTE_MS);
    const began = performance.now();
    await platform.fire();
    took.push(performance.now() - began);
    if (published === null && (await valuesOf(kv, "log_checkpoints")).length > 0) {
      published = minute;
    }
    if (minute <= ALONE_MINUTES) await platform.end();
    // Every third instance has no time to stop.
    else if (minute % EVICTED_MINUTES === 0) {
      await platform.end(minute % (3 * EVICTED_MINUTES) === 0 ? "SIGKILL" : "SIGINT");
    }
  }
  const ids = Object.groupBy(providers.events, ({ id }) => id);
  const events = Object.values(ids).map((same) => same!);
  took.sort((a, b) => a - b);
  console.log({
    minutes: MINUTES,
    starts: platform.starts,
    cronMs: { median: Math.round(took[took.length >> 1]), most: Math.round(took.at(-1)!) },
    publishedInMinute: published,
    memoryMiB: platform.memory,
    mails: providers.mails.length,
    events: events.map((same) => same.map(({ accepted }) => accepted)),
  });

  assertEquals(published, 1);
  assert(platform.memory < MEMORY_MIB);
  // The mail whose first attempt failed, the notice of the deletion, and one for each row of the batch.
  const mailed = providers.mails.map(({ to }) => to);
  assertEquals(mailed.filter((to) => to === person).length, 1);
  for (let i = 0; i < ROWS; i++) {
    assertEquals(mailed.filter((to) => to === `student${i}@example.org`).length, 1, `${i}`);
  }
  assertEquals(new Set(providers.mails.map(({ id }) => id)).size, providers.mails.length);
  const [batch] = await valuesOf<{ state: string; sent: number }>(kv, "issuing_batches");
  assertEquals([batch.state, batch.sent], ["done", ROWS]);
  // Each event was refused at first, and accepted once.
  assertEquals(events.length, ROWS);
  for (const same of events) {
    assert(same.length > 1);
    assertEquals(same.filter(({ accepted }) => accepted).length, 1);
    assert(same.at(-1)!.accepted);
  }
  assertEquals(
    (await endpoint.deliveries()).map(({ state }) => state),
    Array(ROWS).fill("delivered"),
  );
  assertEquals(await valuesOf(kv, "outbox"), []);

  assert((await kv.get(["contacts", hashes[1]])).value !== null);
  await platform.pass(7 * DAY_MS);
  for (let minute = 0; minute < 6; minute++) {
    await platform.pass(MINUTE_MS);
    await platform.fire();
  }
  assertEquals((await kv.get(["contacts", hashes[1]])).value, null);
  assertEquals(platform.faults, []);
});

Deno.test("three instances that run the cron at the same time send each mail and event once", async () => {
  await using platform = await startPlatform(BUILD);
  const { kv, providers } = platform;
  providers.refuses = true;
  await platform.scale(3);
  for (let i = 0; i < 20; i++) {
    const json = { ...PERSON, email: `person${i}@example.org` };
    const from = `203.0.113.${i + 1}`;
    assertEquals((await platform.send("api", "/api/ir/register", { json, from })).status, 201);
  }
  await waitUntil(async () =>
    (await valuesOf<{ sending: boolean }>(kv, "outbox")).every(({ sending }) => !sending)
  );
  providers.refuses = false;
  for (let minute = 0; minute < 4; minute++) {
    await platform.pass(MINUTE_MS);
    await platform.fireEverywhere();
  }
  const sent = providers.mails.map(({ to }) => to);
  assertEquals(sent.length, 20);
  assertEquals(new Set(sent).size, 20);
  assertEquals(await valuesOf(kv, "log_pending"), []);
  assertEquals(platform.faults, []);
});

/** Adds an issuer with a webhook and a batch, and the deletion of a record, as requests would. */
async function prepare(platform: Platform, leaver: string) {
  const { kv, store, providers, now } = platform;
  const config = parseConfig({ ...providers.env, KV_PATH: store.url });
  const services = createServices(config, kv, { clock: now, network: NOWHERE });
  const { issuers, webhooks, batches, records } = services;
  const by = "admin@example.org";
  const { issuer } = unwrap(
    await issuers.add({ organisation: "commercial", name: "Harbour College", by }),
  );
  const input = newEndpointSchema.parse({
    url: "https://localhost/hook",
    events: ["document.issued"],
  });
  const { endpoint } = unwrap(
    await webhooks.create({ issuer: issuer.id, mode: "live", key: "none" }, input),
  );
  await addBatch(batches, issuer);
  unwrap(await records.deletion.request(leaver, READER));
  return {
    deliveries: async () => unwrap(await webhooks.deliveries(endpoint)).deliveries,
  };
}

const READER = { network: "203.0.113.0", browser: "Firefox" };

async function addBatch(
  batches: Services["batches"],
  issuer: Parameters<Services["batches"]["check"]>[0],
): Promise<void> {
  const lines = Array.from({ length: ROWS }, (_, i) => `Student ${i},student${i}@example.org`);
  const file = new Blob([["name,email", ...lines].join("\n")]);
  const defaults = batchDefaults.parse({ title: "Certificate III", date: "2026-11-20" });
  const checked = await batches.check(issuer, file.stream(), defaults);
  if (!checked.ok) throw new Error(checked.message);
  const owner = { issuer, test: false };
  unwrap(await batches.add(owner, { name: "students.csv", by: "key k1", rows: checked.rows }));
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  while (!await isDone()) await new Promise((resolve) => setTimeout(resolve, 50));
}
