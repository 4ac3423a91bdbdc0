/** The interface of a feature: what it declares, and the platform's services from which it is created. */
import type { Count, Metric, ReadGauges, RequestScope } from "./telemetry/mod.ts";
import type { z } from "zod";
import type { AlertKinds } from "./alert_kind.ts";
import type { Settings } from "./config/settings.ts";
import type { Schedule } from "../base/schedule.ts";
import type { Secrets } from "../base/secrets.ts";
import type { BodyBudget } from "./http/body_budget.ts";
import type { InFlight } from "./http/in_flight.ts";
import type { FeedStreams } from "./http/feed_streams.ts";
import type { DeletesDue, Job, Jobs } from "./jobs/mod.ts";
import type { TableDescription } from "./kv/mod.ts";
import type { Live } from "./live.ts";
import type { DevOutbox, Mailer } from "./mail/mod.ts";
import type { SecretStates } from "./secret_states.ts";
import type { Migration, StoreGuard, StoreWork } from "./store/mod.ts";
import type { Surfaces } from "./surfaces/mod.ts";

/** Everything that a feature is created from, besides its own part of the configuration. */
export interface Platform {
  /** Returns the time in milliseconds since 1970; injected in tests. */
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory; follows the tests' clock. */
  monotonic: () => number;
  /** Returns the monotonic time in milliseconds, for latencies; replaced in tests. */
  elapsed: (() => number) | undefined;
  /** Starts timers outside the request that is being handled. */
  schedule: Schedule;
  fetch: typeof fetch;
  /** Waits before a request is repeated; replaced in tests. */
  pause: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /**
   * Logs one structured line, with the time and the request's id. Entries must not contain secrets
   * or email addresses.
   */
  log: (entry: Record<string, unknown>) => void;
  /** Identifies the process in log lines and metrics. */
  instance: string;
  count: Count;
  /** The kinds of alerts, which features declare. */
  alertKinds: AlertKinds;
  /** Knows which request the running code belongs to. */
  requestScope: RequestScope;
  /** Builds what depends on secrets, which can be replaced while the process runs. */
  live: Live;
  kv: Deno.Kv;
  /** The tables of the platform and of all features. */
  tables: readonly TableDescription[];
  store: StoreGuard;
  /** The migrations that run beside the site. */
  storeWork: StoreWork;
  secrets: Secrets;
  /** Knows which secrets are in use, which `server.ts` starts. */
  secretStates: SecretStates;
  surfaces: Surfaces;
  mailer: Mailer;
  /** Stored mail in development; null if mail is sent. */
  devOutbox: DevOutbox | null;
  /** Background work, which `server.ts` starts. */
  jobs: Jobs;
  /** The open streams of chains and access logs. */
  streams: FeedStreams;
  inFlight: InFlight;
  /** The bodies of requests that are kept in memory. */
  bodies: BodyBudget;
}

/**
 * One feature of the product, as `feature.ts` in its folder describes it. `lib/app/features.ts` lists
 * all features from the lowest to the highest; a feature uses only the services of those before it.
 */
export interface Feature<Below, Own extends object, Part extends object = object> {
  /** The name of its folder. */
  name: string;
  tables?: readonly TableDescription[];
  /** Its environment variables, and its part of the configuration. */
  settings?: Settings<z.ZodRawShape, Part>;
  /** Creates its services from those of the platform and of lower features. This has no other effects. */
  create(below: Below): Own;
  /** Its kinds of alerts. */
  alerts?: AlertKinds;
  metrics?: readonly Metric[];
  /** Returns the functions that read its gauges. Each may take one second. */
  gauges?(services: Below & Own): readonly ReadGauges[];
  /** Returns its background work. */
  jobs?(services: Below & Own): readonly Job[];
  /** Returns how it deletes rows of its tables with `due`, by the prefixes of the tables. */
  deletesDue?(services: Below & Own): DeletesDue;
  /**
   * The functions that take part in other features, by the names of those features' hooks. They are
   * created when they are first needed, after all features.
   */
  hooks?: { readonly [name: string]: (services: Below & Own) => unknown };
  /** Returns what it changes in stores of older formats. */
  migrations?(services: Below & Own): readonly Migration[];
  /** Stops its own background work, while in-flight requests end. */
  stop?(services: Below & Own): Promise<void> | void;
  /**
   * Ends what it has begun, once no requests and jobs are left, before the mailer and the store are
   * closed.
   *
   * @param limitMs how long this may take
   */
  close?(services: Below & Own, limitMs: number): Promise<void> | void;
}

export const defineFeature = <Below, Own extends object, Part extends object = object>(
  feature: Feature<Below, Own, Part>,
): Feature<Below, Own, Part> => feature;

/**
 * The functions with which other features take part in events of a feature, by the name of the hook.
 * They are known once all features are created.
 */
export type Hooked<Hooks> = {
  readonly hooks: { readonly [Name in keyof Hooks]?: () => readonly Hooks[Name][] };
};
