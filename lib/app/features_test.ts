import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { RecordData } from "../features/records/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../base/time.ts";
import { inMorning } from "../platform/alert_kind.ts";
import { createSite } from "../../tests/site.ts";
import { ConfigError } from "../platform/config/error.ts";
import { wholeNumber } from "../platform/config/fields.ts";
import { defineSettings } from "../platform/config/settings.ts";
import { defineFeature, type Platform } from "../platform/feature.ts";
import { openKv } from "../platform/kv/mod.ts";
import type { StoreFormat } from "../platform/store/mod.ts";
import { counter, gauge, sample } from "../platform/telemetry/mod.ts";
import { parseConfig } from "./config.ts";
import { type ConfigOf, FEATURES, type ServicesOf } from "./features.ts";
import type { Foundation } from "./foundation.ts";
import { type AnyFeature, createServices } from "./services.ts";

/** The hooks that exist. A function for any other one would never be called. */
const HOOKS = [
  "beforeMail",
  "documentEvent",
  "issuerRemoved",
  "keyWebhooks",
  "onEnquiry",
  "onEvent",
  "onGrantEnd",
  "onKeys",
  "onLostMail",
  "onReturnedMail",
  "onSender",
  "operatorData",
  "ownWitness",
  "recordData",
  "unwell",
];

Deno.test("every hook of a feature is one that a feature or the platform calls", () => {
  const names = FEATURES.flatMap(({ hooks = {} }) => Object.keys(hooks));
  assertEquals([...new Set(names)].sort(), HOOKS);
});

Deno.test("features take part in the deletion of records where tables do not delete rows", async () => {
  await using site = await createSite();
  const data: RecordData[] = site.services.hooks.recordData();
  assertEquals(data.filter(({ deleteOf }) => deleteOf).map(({ name }) => name).sort(), [
    "access requests",
    "agents",
    "alerts",
    "codes",
    "documents",
    "inbox",
    "payments",
    "recipients",
  ]);
});

Deno.test("mails are sent although those that a dead process left cannot be prepared", async () => {
  const lines: Record<string, unknown>[] = [];
  let now = Date.UTC(2026, 2, 1);
  await using site = await createSite({}, {
    clock: () => now,
    log: (line) => void lines.push(line),
  });
  const { hooks, jobs, kv, mailer, devOutbox } = site.services;
  hooks.beforeMail = () => [(() => Promise.reject(new TypeError("broken"))) as never];
  const commit = kv.atomic();
  const mail = {
    sender: "product",
    to: "a@example.org",
    subject: "S",
    text: "t",
    html: "",
  } as const;
  const expiresAt = now + HOUR_MS;
  await mailer.add(commit, mail, { expiresAt, about: "", kind: "notice" });
  await commit.commit();
  now += 2 * MINUTE_MS;
  await jobs.run("mail");
  assertEquals(devOutbox!.list().length, 1);
  assertEquals(lines.map(({ event }) => event), ["mail_preparation_failed"]);
});

const beans = counter("beans", "Counted beans.", { colour: ["red", "white"] });
const beansLeft = gauge("beans_left", "Beans that are left.", {});

interface BeanServices {
  beans: { left: number; closed: string[] };
}

/** A feature that has everything that a description can say. */
const beanFeature = defineFeature({
  name: "beans",
  settings: defineSettings({
    variables: { BEANS: wholeNumber("up to 10 beans", 10).default(3) },
    config: ({ BEANS }) => ({ beans: BEANS }),
    problems: ({ BEANS }) => BEANS === 7 ? ["BEANS: should not be 7"] : [],
  }),
  alerts: { beans_gone: inMorning("No beans left") },
  metrics: [beans, beansLeft],
  gauges: ({ beans: { left } }) => [() => [sample(beansLeft, left, {})]],
  create: ({ config }: Platform & { config: { beans: number } }): BeanServices => ({
    beans: { left: config.beans, closed: [] },
  }),
  jobs: ({ count }) => [{
    name: "beans",
    everyMs: HOUR_MS,
    maxMs: MINUTE_MS,
    run() {
      count(beans, { colour: "red" }, 2);
      return Promise.resolve("2 counted");
    },
  }],
  migrations: ({ kv }) => [{
    name: "beans",
    rotates: true,
    beside: "the beans can be counted with both secrets",
    step: {
      async batch() {
        await kv.set(["beans"], "migrated");
        return { indexed: 1, next: null };
      },
    },
  }],
  stop: ({ beans: { closed } }) => void closed.push("stopped"),
  close: ({ beans: { closed } }) => void closed.push("closed"),
});

Deno.test("a feature's variable, metrics, job, alert, migration and end work because it is in the list", async () => {
  // The product's list gives `Services` and `Config` their types. Here they lack the new feature.
  const features = [...FEATURES, beanFeature as unknown as AnyFeature];
  assertThrows(() => parseConfig({ BEANS: "11" }, { features }), ConfigError, "up to 10");
  assertThrows(() => parseConfig({ BEANS: "7" }, { features }), ConfigError, "not be 7");
  const config = parseConfig({ BEANS: "5" }, { features });
  const kv = await openKv(":memory:");
  const services = createServices(config, kv, {}, features);
  assertEquals(services.alerts.kinds.beans_gone, "No beans left");
  await services.store.claim(services.migrate);
  const work = { steps: ["beans"], incomplete: [], cursor: "", begun: null };
  const { value } = await kv.get<StoreFormat>(["format"]);
  await kv.set(["format"], { ...value, work } satisfies Partial<StoreFormat>);
  await services.jobs.run("store");
  assertEquals((await kv.get(["beans"])).value, "migrated");
  await services.jobs.run("beans");
  const text = await (await services.metrics.collect()).metrics();
  assertStringIncludes(text, 'gatehouse_beans_total{colour="red"} 2\n');
  assertStringIncludes(text, 'gatehouse_beans_total{colour="white"} 0\n');
  assertStringIncludes(text, "gatehouse_beans_left 5\n");
  assertStringIncludes(text, 'gatehouse_job_ok{task="beans"} 1\n');
  await services.close();
  assertEquals((services as unknown as BeanServices).beans.closed, ["stopped", "closed"]);
});

/** Uses a service of the feature above. */
const soupFeature = defineFeature({
  name: "soup",
  create: ({ beans }: Platform & BeanServices) => ({ soup: beans.left }),
});

Deno.test("types: a list has its features' services and configuration, or none if one uses a later one", () => {
  type Base = Foundation & { config: { beans: number } };
  type Ordered = ServicesOf<readonly [typeof beanFeature, typeof soupFeature], Base>;
  type Reversed = ServicesOf<readonly [typeof soupFeature, typeof beanFeature], Base>;
  type Is<Type, Expected> = [Type, Expected] extends [Expected, Type] ? true : false;
  const checked: [
    Is<Ordered["soup"], number>,
    Is<Reversed, never>,
    Is<ConfigOf<readonly [typeof soupFeature, typeof beanFeature]>["beans"], number>,
  ] = [true, true, true];
  assertEquals(checked, [true, true, true]);
});
