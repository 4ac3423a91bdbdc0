import { inTime } from "../base/in_time.ts";
import { MINUTE_MS, SECOND_MS } from "../base/time.ts";
import type { CodeProvider } from "../features/codes/mod.ts";
import type { ContactModule } from "../features/contact/module.ts";
import { publisherOf } from "../features/chain/store/mod.ts";
import type { IssuePdf } from "../features/documents/mod.ts";
import type { Network } from "../features/oauth/mod.ts";
import type { PushProviders } from "../features/push/mod.ts";
import { VERSION } from "../platform/config/release.ts";
import type { Platform } from "../platform/feature.ts";
import { type BoundedCache, createBoundedCache } from "../platform/http/bounded_cache.ts";
import { createFeedStreams } from "../platform/http/feed_streams.ts";
import { createInFlight } from "../platform/http/in_flight.ts";
import { createJobs, type Job } from "../platform/jobs/mod.ts";
import { createBatchedReads, type Schedule, scheduleTimeout } from "../platform/kv/mod.ts";
import {
  type AddToLoss,
  countMailFailure,
  createMailer,
  createTransport,
  type PrepareMail,
} from "../platform/mail/mod.ts";
import { createSecrets } from "../platform/secrets.ts";
import { createReadiness, createStoreGuard, type ReadinessCheck } from "../platform/store/mod.ts";
import { createSurfaces, type SurfaceTable } from "../platform/surfaces/mod.ts";
import {
  createLog,
  createMetrics,
  createRequestScope,
  type GaugeReading,
  type LogOptions,
  type Metrics,
} from "../platform/telemetry/mod.ts";
import type { Config } from "./config.ts";
import { FEATURES, type ServicesOf, TABLES } from "./features.ts";
import { createGauges } from "./gauges.ts";
import { migrate } from "./migrations/mod.ts";

/** Replacements for tests. */
export interface ServiceOverrides {
  table?: SurfaceTable;
  clock?: () => number;
  log?: Platform["log"];
  /** Writes log lines somewhere else than to the console. */
  writeLine?: LogOptions["write"];
  fetch?: typeof fetch;
  contactModule?: () => Promise<ContactModule>;
  codeProvider?: CodeProvider;
  /** Default: none. */
  pushProviders?: PushProviders;
  /** Null keeps PDFs as they are, without an issued copy. */
  issuePdf?: IssuePdf | null;
  /** The network that the documents of MCP clients are fetched from. */
  network?: Network;
  /** Waits before a request to the bank or to the mail API is retried. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  print?: (line: string) => void;
  /** Starts the timers of streams and probes. */
  schedule?: Schedule;
  /** Returns the monotonic time in milliseconds, for latencies and for reads that are shared. */
  elapsed?: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. Default: `clock`, if given. */
  monotonic?: () => number;
}

/** What features are created from: the platform, the configuration and the replacements of tests. */
interface Foundation extends Platform {
  config: Config;
  overrides: ServiceOverrides;
  /** The functions of all features for each hook of a lower one, by the hook's name. */
  hooks: Record<string, () => never[]>;
  metrics: Metrics;
  /** Checks whether this process can handle requests. */
  readiness: ReadinessCheck;
  /** Parts of pages that are the same for everyone. */
  html: BoundedCache<string>;
}

/** What belongs to the process as a whole. */
interface Lifecycle {
  /** Reads the values that are not counted, such as the number of waiting mails. */
  readGauges: () => Promise<GaugeReading[]>;
  /** Brings the store to the current format, before the site serves requests. */
  migrate(): Promise<number>;
  /**
   * Ends all streams, waits for in-flight responses, jobs and messages, then closes the store.
   *
   * @param limitMs how long all of this may take together; the rest is cut off. Default: 10 seconds
   */
  close(limitMs?: number): Promise<void>;
}

type FeatureServices = ServicesOf<typeof FEATURES, Foundation>;

/** Everything that the app shares: created once and passed in `ctx.state`. */
export type Services = FeatureServices & Lifecycle;

const CLOSE_LIMIT_MS = 10_000;

/** In characters. */
const HTML_CACHE_LIMIT = 4_000_000;

/**
 * Creates the services of a configuration: those of the platform, then those of each feature in the
 * order of {@linkcode FEATURES}. Nothing is sent or written yet.
 *
 * @param kv the opened store, which `close` closes
 *
 * @example
 * ```ts
 * const config = parseConfig(Deno.env.toObject());
 * const services = createServices(config, await openKv(config.kvPath));
 * ```
 */
export function createServices(
  config: Config,
  kv: Deno.Kv,
  overrides: ServiceOverrides = {},
): Services {
  const instance = crypto.randomUUID().slice(0, 8);
  const foundation = createFoundation(config, kv, overrides, instance);
  // Each feature adds its services to those that it was created from.
  const services = foundation as FeatureServices;
  collectHooks(services);
  for (const feature of FEATURES) {
    Object.assign(services, feature.create(services));
    for (const job of feature.jobs?.(services) ?? []) services.jobs.register(job);
  }
  const { clock, jobs, inFlight, streams, readiness } = services;
  return Object.assign(services, {
    readGauges: createGauges({
      kv,
      clock,
      kvPath: config.kvPath,
      jobs,
      build: { version: VERSION, revision: config.revision ?? "", process: instance },
      inFlight,
      streams,
      readiness: () => readiness.check(),
    }),
    migrate: () => migrate({ kv, index: services.contactIndex, secrets: services.secrets }),
    close: (limitMs = CLOSE_LIMIT_MS) => close(services, limitMs),
  });
}

/** Creates the services of the platform. */
function createFoundation(
  config: Config,
  kv: Deno.Kv,
  overrides: ServiceOverrides,
  instance: string,
): Foundation {
  const clock = overrides.clock ?? Date.now;
  const monotonic = overrides.monotonic ?? overrides.clock ?? (() => performance.now());
  const metrics = createMetrics();
  const { count } = metrics;
  const requestScope = createRequestScope(config);
  const log = overrides.log ?? createLog({
    clock,
    level: config.telemetry.logLevel,
    instance,
    requestId: requestScope.id,
    onLine: (level) => count("log_lines", { level }),
    write: overrides.writeLine,
  });
  // Timers outlive the request that starts them.
  const schedule: Schedule = (run, ms) =>
    requestScope.outside(() => (overrides.schedule ?? scheduleTimeout)(run, ms));
  const surfaces = createSurfaces(config, overrides.table);
  const store = createStoreGuard({
    kv,
    clock,
    config,
    publisher: publisherOf(surfaces),
    schedule,
    log,
  });
  const transport = createTransport(config.mail, {
    pause: overrides.pause,
    fetch: overrides.fetch ?? fetch,
    print: overrides.print ?? console.log,
    clock,
  });
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const hooks: Foundation["hooks"] = {};
  const onLostMail: AddToLoss = async (commit, lost) => {
    for (const add of hooks.onLostMail?.() as AddToLoss[] ?? []) await add(commit, lost);
  };
  const mailer = createMailer({
    kv,
    clock,
    secrets,
    transport,
    senders: config.mail.senders,
    log,
    count,
    onFailure: (sender) => countMailFailure(kv, sender),
    addToLoss: onLostMail,
  });
  const jobs = createJobs({ kv, clock, log, paused: () => store.readOnly !== null });
  jobs.register(mailJob({ mailer, hooks, log }));
  const { streamClientLimit: clientLimit } = config;
  return {
    config,
    overrides,
    hooks,
    clock,
    monotonic,
    elapsed: overrides.elapsed,
    schedule,
    fetch: overrides.fetch ?? fetch,
    pause: overrides.pause,
    log,
    count,
    metrics,
    requestScope,
    kv,
    tables: TABLES,
    reads: createBatchedReads(kv),
    store,
    readiness: createReadiness(store),
    secrets,
    surfaces,
    mailer,
    outbox: transport.name === "outbox" ? transport : null,
    jobs,
    streams: createFeedStreams({ kv, clock: monotonic, schedule, clientLimit, log }),
    inFlight: createInFlight(),
    html: createBoundedCache({ limit: HTML_CACHE_LIMIT, sizeOf: (html) => html.length }),
  };
}

const mailJob = ({ mailer, hooks, log }: Pick<Foundation, "mailer" | "hooks" | "log">): Job => ({
  name: "mail",
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

/** Collects the functions of all features for each hook. They are created when first needed. */
function collectHooks(services: FeatureServices): void {
  for (const name of new Set(FEATURES.flatMap(({ hooks = {} }) => Object.keys(hooks)))) {
    let created: never[] | undefined;
    services.hooks[name] = () =>
      created ??= FEATURES.flatMap(({ hooks }) => hooks?.[name]?.(services) as never ?? []);
  }
}

async function close(services: FeatureServices, limitMs: number): Promise<void> {
  const { readiness, store, jobs, infra, streams, inFlight, mailer, kv } = services;
  const end = performance.now() + limitMs;
  const left = () => Math.max(0, end - performance.now());
  readiness.stop();
  store.close();
  const jobsStopped = jobs.stop();
  const infraClosed = infra.close();
  await inTime(streams.close(), left());
  await inFlight.settled(left());
  await inTime(Promise.all([jobsStopped, infraClosed]), left());
  // Responses and jobs may have caused messages. What is not sent in time stays in the store.
  for (const feature of FEATURES) await feature.close?.(services, left());
  await mailer.close(left());
  kv.close();
}
