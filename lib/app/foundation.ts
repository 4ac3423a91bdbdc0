/** Creates the platform below all features: store, log, metrics, mail, jobs and secrets. */
import { type Schedule, scheduleTimeout } from "../base/schedule.ts";
import { MINUTE_MS, SECOND_MS, setDateLocale } from "../base/time.ts";
import { VERSION } from "../platform/config/release.ts";
import type { Platform } from "../platform/feature.ts";
import { createLiveConfig, type LiveConfig } from "../platform/live.ts";
import { type BoundedCache, createBoundedCache } from "../platform/http/bounded_cache.ts";
import { createFeedStreams } from "../platform/http/feed_streams.ts";
import { type BodyLimits, createBodyBudget } from "../platform/http/body_budget.ts";
import { createInFlight } from "../platform/http/in_flight.ts";
import {
  createJobs,
  type Job,
  JOB_METRICS,
  jobGauges,
  OUTBOX_METRICS,
  outboxGauges,
} from "../platform/jobs/mod.ts";
import {
  type AddToLoss,
  type AddToReturn,
  countMailFailure,
  createMailer,
  createTransport,
  MAIL_CHANNEL,
  mails,
  type OnSender,
  type PrepareMail,
} from "../platform/mail/mod.ts";
import { createSecretStates } from "../platform/secret_states.ts";
import { createSecrets } from "../platform/secrets.ts";
import {
  createReadiness,
  createStoreGuard,
  createStoreWork,
  type Migration,
  type ReadinessCheck,
  STORE_METRICS,
  storeGauges,
} from "../platform/store/mod.ts";
import { createSurfaces, publisherOf, type SurfaceTable } from "../platform/surfaces/mod.ts";
import {
  createLog,
  createMetrics,
  createRequestScope,
  logLines,
  type LogOptions,
  type Metrics,
  PROCESS_METRICS,
  processGauges,
} from "../platform/telemetry/mod.ts";
import type { Config } from "./config.ts";
import type { FEATURES, OverridesOf } from "./features.ts";

/** Replacements of the platform's parts for tests. */
interface PlatformOverrides {
  table?: SurfaceTable;
  clock?: () => number;
  log?: Platform["log"];
  /** Writes log lines somewhere else than to the console. */
  writeLine?: LogOptions["write"];
  fetch?: typeof fetch;
  /** Waits before a request to the bank or to the mail API is retried. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  print?: (line: string) => void;
  /** Starts the timers of streams and probes. */
  schedule?: Schedule;
  /** Returns the monotonic time in milliseconds, for latencies. */
  elapsed?: () => number;
  /** Default: `BODY_LIMITS`. */
  bodyLimits?: BodyLimits;
  /** Returns the monotonic time in milliseconds, for limits in memory. Default: `clock`, if given. */
  monotonic?: () => number;
}

/** Replacements for tests: those of the platform and those that features accept. */
export type ServiceOverrides = PlatformOverrides & OverridesOf<typeof FEATURES>;

/** The platform, the configuration and the replacements for tests, from which features are created. */
export interface Foundation extends Platform {
  config: Config;
  /** Replaces the configuration when secrets have changed. */
  replaceConfig: LiveConfig<Config>["replace"];
  overrides: ServiceOverrides;
  /** The functions of all features for each hook of a lower one, by the hook's name. */
  hooks: Record<string, () => never[]>;
  metrics: Metrics;
  /** The migrations of the platform and of all features, in the order of their formats. */
  migrations: Migration[];
  /** Checks whether this process can handle requests. */
  readiness: ReadinessCheck;
  /** Parts of pages that are the same for everyone. */
  html: BoundedCache<string>;
}

/** The most characters of rendered HTML that are kept in memory. */
const HTML_CACHE_LIMIT = 4_000_000;

/**
 * Creates the services of the platform. Their hooks and kinds of alerts are empty.
 *
 * @param kv the opened store
 * @param tables those of the platform and of the features
 */
export function createFoundation(
  given: Config,
  kv: Deno.Kv,
  overrides: ServiceOverrides,
  tables: Foundation["tables"],
): Foundation {
  const { config, live, replace: replaceConfig } = createLiveConfig(given);
  setDateLocale(config.dateLocale);
  const process = createProcess(config, overrides);
  const { clock, monotonic, schedule, log, metrics, instance } = process;
  const surfaces = createSurfaces(config, overrides.table);
  const publisher = publisherOf(surfaces);
  const store = createStoreGuard({ kv, clock, config, publisher, schedule, log });
  const readiness = createReadiness(store);
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const migrations: Migration[] = [];
  const storeWork = createStoreWork({
    ...{ kv, secrets, clock, schedule, log },
    migrations: () => migrations,
  });
  const secretStates = createSecretStates({
    ...{ kv, secrets, clock, schedule, instance },
    configured: () => config.secrets,
  });
  const jobs = createJobs({ kv, clock, log, paused: () => store.readOnly !== null });
  const { streamClientLimit: clientLimit } = config;
  const streams = createFeedStreams({ kv, clock: monotonic, schedule, clientLimit, log });
  const inFlight = createInFlight();
  const bodies = createBodyBudget(overrides.bodyLimits);
  const platform = {
    ...process,
    config,
    live,
    replaceConfig,
    overrides,
    hooks: {},
    alertKinds: {},
    elapsed: overrides.elapsed,
    pause: overrides.pause,
    kv,
    tables,
    store,
    storeWork,
    secretStates,
    migrations,
    readiness,
    secrets,
    surfaces,
    jobs,
    streams,
    inFlight,
    bodies,
    html: createBoundedCache<string>({ limit: HTML_CACHE_LIMIT, sizeOf: (html) => html.length }),
  };
  const build = { version: VERSION, revision: config.revision ?? "", process: instance };
  jobs.register(storeWork.job);
  metrics.register([...PROCESS_METRICS, ...STORE_METRICS, ...JOB_METRICS]);
  metrics.read([
    processGauges({ build, inFlight, streams }),
    ...storeGauges({ kv, kvPath: config.kvPath, readiness }),
    jobGauges({ jobs, clock }),
  ]);
  return { ...platform, ...createMail(platform) };
}

/** Creates what does not need the store: clocks, timers, the log and the metrics. */
function createProcess(config: Config, overrides: ServiceOverrides) {
  const instance = crypto.randomUUID().slice(0, 8);
  const clock = overrides.clock ?? Date.now;
  const metrics = createMetrics(overrides.schedule);
  const { count } = metrics;
  metrics.register([logLines]);
  const requestScope = createRequestScope(config);
  const log = overrides.log ?? createLog({
    clock,
    level: config.telemetry.logLevel,
    instance,
    requestId: requestScope.id,
    onLine: (level) => count(logLines, { level }),
    write: overrides.writeLine,
  });
  // Timers outlive the request that starts them.
  const schedule: Schedule = (run, ms) =>
    requestScope.outside(() => (overrides.schedule ?? scheduleTimeout)(run, ms));
  return {
    instance,
    clock,
    monotonic: overrides.monotonic ?? overrides.clock ?? (() => performance.now()),
    schedule,
    fetch: overrides.fetch ?? fetch,
    log,
    count,
    metrics,
    requestScope,
  };
}

/** Creates the mailer, and registers its job and its metrics. */
function createMail(
  { config, overrides, hooks, metrics, jobs, ...platform }: Omit<
    Foundation,
    "mailer" | "devOutbox"
  >,
): Pick<Foundation, "mailer" | "devOutbox"> {
  const { kv, clock, live } = platform;
  const print = overrides.print ?? console.log;
  const current = live(
    () => config.mail,
    (mail) => createTransport(mail, { ...platform, print }),
    (old) => old.close?.(),
  );
  const transport = current();
  const mailer = createMailer({
    ...platform,
    transport: {
      name: transport.name,
      send: (mail) => current().send(mail),
      close: (options) => current().close?.(options),
    },
    senders: config.mail.senders,
    returnTo: () => config.mail.returnPath,
    onFailure: (sender) => countMailFailure(kv, sender),
    async onSender(...report) {
      for (const learn of hooks.onSender?.() as OnSender[] ?? []) await learn(...report);
    },
    async addToLoss(commit, lost) {
      for (const add of hooks.onLostMail?.() as AddToLoss[] ?? []) await add(commit, lost);
    },
    async addToReturn(commit, returned) {
      for (const add of hooks.onReturnedMail?.() as AddToReturn[] ?? []) {
        await add(commit, returned);
      }
    },
  });
  metrics.register([mails, ...OUTBOX_METRICS]);
  metrics.read([outboxGauges({ kv, clock }, MAIL_CHANNEL)]);
  jobs.register(mailJob({ mailer, hooks, log: platform.log }));
  return { mailer, devOutbox: transport.name === "outbox" ? transport : null };
}

const mailJob = ({ mailer, hooks, log }: Pick<Foundation, "mailer" | "hooks" | "log">): Job => ({
  name: "mail",
  title: "Sending mail",
  everyMs: 15 * SECOND_MS,
  maxMs: MINUTE_MS,
  async run({ signal }) {
    for (const prepare of hooks.beforeMail?.() as PrepareMail[] ?? []) {
      await prepare(signal).catch((error) =>
        // The mails that wait already do not depend on it.
        log({ level: "error", event: "mail_preparation_failed", stack: stackOf(error) })
      );
    }
    const { sent, failed } = await mailer.drain(signal);
    return `${sent} sent, ${failed} failed`;
  },
});

const stackOf = (error: unknown) => error instanceof Error ? error.stack : String(error);
