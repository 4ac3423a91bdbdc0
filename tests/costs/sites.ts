/** The sites to which the requests of the count of costs go. */
import { openKv } from "../../lib/platform/kv/mod.ts";
import { countRoundTrips, type RoundTripKv } from "../../lib/platform/kv/testing/round_trips.ts";
import { createTestLog, type TestLog } from "../../lib/features/witness/testing/test_log.ts";
import { fakePush } from "../../lib/features/push/testing/fake_provider.ts";
import { never } from "../../lib/testing/held_timers.ts";
import { SURFACES } from "../../lib/platform/surfaces/mod.ts";
import { type Sandboxes, startSandboxes } from "../../sandbox/mod.ts";
import { type AccessFixture, accessFixture } from "../access_site.ts";
import { type FakeProvider, fakeProvider } from "../codes_site.ts";
import { type ContactFixture, contactFixture } from "../contact_site.ts";
import { type Filled, fillSite } from "../filled_site.ts";
import { separationSite } from "../separation_site.ts";
import { NOWHERE } from "../webhook_scenarios.ts";
import { trackedKv } from "./meter.ts";

/** The time at which the clocks start, so that no number depends on the day. */
export const STARTS_AT = Date.parse("2026-03-09T10:00:00Z");

/** A site whose store's calls are counted. */
export type Counted<Fixture> = Fixture & Pick<RoundTripKv, "measure">;

/** The site of people: its records, documents, apps and issuers, and its witness, which can be away. */
export interface PeopleSite extends AccessFixture {
  filled: Filled;
  codes: FakeProvider;
  witness: { isAway: boolean };
}

/** The calls that are held do not keep a request busy, so the store below tracks them. */
const countedKv = async (): Promise<RoundTripKv> =>
  countRoundTrips(trackedKv(await openKv(":memory:")));

/** The time of latencies, which pages show. */
const elapsed = () => 0;

const APPS = {
  PASSKEY_RELATED_ORIGINS: "https://records.example",
  APPLE_APP_IDS: "ABCDE12345.example.records",
  ANDROID_APPS: `example.records=${Array(32).fill("AB").join(":")}`,
};

export const MAIL_SECRET = `whsec_${btoa("a secret of the mail provider")}`;

export async function peopleSite(): Promise<Counted<PeopleSite>> {
  const { kv, measure } = await countedKv();
  const witness = { isAway: false };
  const codes = fakeProvider();
  const push = fakePush();
  let sandboxes: Sandboxes | undefined;
  const fixture = await accessFixture({
    API_KEY_RATE_LIMIT: "0",
    MCP_RATE_LIMIT: "0",
    MAIL_WEBHOOK_SECRET: MAIL_SECRET,
    ...APPS,
  }, {
    ...{ kv, elapsed, startsAt: STARTS_AT, network: NOWHERE, issuePdf: null, codeProvider: codes },
    pushProviders: { ios: push, android: push, web: push },
    openWitnessKv: async () => {
      const store = await openKv(":memory:");
      return new Proxy(store, {
        get(_, name) {
          if (witness.isAway && name !== "close") throw new Error("The witness is away.");
          const value = Reflect.get(store, name, store);
          return typeof value === "function" ? value.bind(store) : value;
        },
      });
    },
    configure: (config) =>
      (sandboxes = startSandboxes(config, { clock: () => STARTS_AT })).configure(config),
  });
  const filled = await fillSite(fixture);
  // Work that continues in the background would add to the cost of some request, depending on the machine.
  const { mailer, jobs } = fixture.site.services;
  await mailer.flush();
  await jobs.run("log");
  return {
    ...fixture,
    ...{ measure, witness, codes, filled },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await sandboxes?.stop();
    },
  };
}

/** The site of the consoles, with an object of each kind. */
export type ConsoleSite = Awaited<ReturnType<typeof consoleSite>>;

export async function consoleSite() {
  const { kv, measure } = await countedKv();
  // Pages wait for the bank however long it takes.
  const site = await separationSite({}, { kv, elapsed, schedule: never });
  return {
    ...site,
    measure,
    ids: {
      foundation: await site.fill("foundation", "mirabelle"),
      commercial: await site.fill("commercial", "tamarind"),
    },
  };
}

/** A site without witnesses. */
export async function unwitnessedSite(): Promise<Counted<ContactFixture>> {
  const { kv, measure } = await countedKv();
  const { witness: _, ...table } = SURFACES;
  return {
    ...await contactFixture({}, { kv, elapsed, startsAt: STARTS_AT, table }),
    measure,
  };
}

/** A site whose witness countersigns another log. Only the calls of the witness's store are counted. */
export interface WitnessSite extends Counted<ContactFixture> {
  log: TestLog;
}

export async function witnessSite(): Promise<WitnessSite> {
  const { kv, measure } = await countedKv();
  const log = await createTestLog();
  const env = { WITNESS_LOGS: `log ${log.vkey}` };
  const overrides = { elapsed, startsAt: STARTS_AT, openWitnessKv: () => Promise.resolve(kv) };
  return { ...await contactFixture(env, overrides), measure, log };
}
