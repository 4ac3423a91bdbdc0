/** Creates, connects and closes the services of the whole site. */
import { inTime } from "../base/in_time.ts";
import type { Feature } from "../platform/feature.ts";
import { type DeletesDue, dueRowsJobs } from "../platform/jobs/mod.ts";
import { migrate } from "../platform/store/mod.ts";
import type { Config } from "./config.ts";
import { platformMigrations } from "../platform/tables.ts";
import { FEATURES, type ServicesOf, tablesOf } from "./features.ts";
import { createFoundation, type Foundation, type ServiceOverrides } from "./foundation.ts";

export type { ServiceOverrides };

/** The steps in the life of the whole process. */
interface Lifecycle {
  /** Brings the store to the current format, before the site serves requests. */
  migrate(): Promise<void>;
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

export interface AnyFeature extends Omit<Feature<FeatureServices, FeatureServices>, "create"> {
  create(below: FeatureServices): object;
}

/**
 * Creates the services of a configuration: those of the platform, then those of each feature in their
 * order. Nothing is sent or written yet.
 *
 * @param kv the opened store, which `close` closes
 */
export function createServices(
  config: Config,
  kv: Deno.Kv,
  overrides: ServiceOverrides = {},
  features: readonly AnyFeature[] = FEATURES,
): Services {
  // Each feature adds its services to those that it was created from.
  const services = createFoundation(
    config,
    kv,
    overrides,
    tablesOf(features),
  ) as FeatureServices;
  const { hooks, alertKinds, clock, jobs, log, metrics, migrations, secrets } = services;
  Object.assign(hooks, collectHooks(features, services));
  Object.assign(alertKinds, collectAlerts(features));
  for (const feature of features) {
    metrics.register(feature.metrics ?? []);
    Object.assign(services, feature.create(services));
    metrics.read(feature.gauges?.(services) ?? []);
    for (const job of feature.jobs?.(services) ?? []) jobs.register(job);
  }
  const deletes: DeletesDue = Object.assign(
    {},
    ...features.map((feature) => feature.deletesDue?.(services)),
  );
  const { tables } = services;
  for (const job of dueRowsJobs({ kv, clock, tables, deletes })) jobs.register(job);
  migrations.push(
    ...platformMigrations(services),
    ...features.flatMap((feature) => feature.migrations?.(services) ?? []),
  );
  migrations.sort((a, b) => (a.format ?? 0) - (b.format ?? 0));
  const { kvPath, secretsGivenUp: givenUp } = config;
  return Object.assign(services, {
    migrate: () =>
      migrate({ kv, clock, log, secrets, givenUp, kvPath, migrations: () => migrations }),
    close: (limitMs = CLOSE_LIMIT_MS) => close(features, services, limitMs),
  });
}

/** Collects the kinds of alerts, ordered by their names. */
const collectAlerts = (features: readonly AnyFeature[]): Foundation["alertKinds"] =>
  Object.fromEntries(
    features.flatMap(({ alerts = {} }) => Object.entries(alerts))
      .sort(([, a], [, b]) => a.name.localeCompare(b.name)),
  );

/** Collects the functions of all features for each hook. They are created when first needed. */
function collectHooks(
  features: readonly AnyFeature[],
  services: FeatureServices,
): Foundation["hooks"] {
  const names = new Set(features.flatMap(({ hooks = {} }) => Object.keys(hooks)));
  return Object.fromEntries(Array.from(names, (name) => {
    let created: never[] | undefined;
    const create = () => features.flatMap(({ hooks }) => hooks?.[name]?.(services) as never ?? []);
    return [name, () => created ??= create()];
  }));
}

async function close(
  features: readonly AnyFeature[],
  services: FeatureServices,
  limitMs: number,
): Promise<void> {
  const { readiness, store, storeWork, jobs, streams, inFlight, mailer, kv } = services;
  const end = performance.now() + limitMs;
  const left = () => Math.max(0, end - performance.now());
  readiness.stop();
  store.close();
  storeWork.close();
  services.secretStates.close();
  const stopped = Promise.all([jobs.stop(), ...features.map((each) => each.stop?.(services))]);
  await inTime(streams.close(), left());
  await inFlight.settled(left());
  await inTime(stopped, left());
  // Responses and jobs may have caused messages. Those that are not sent in time stay in the store.
  for (const feature of features) await feature.close?.(services, left());
  await mailer.close(left());
  kv.close();
}
