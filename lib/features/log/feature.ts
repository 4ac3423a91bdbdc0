/** Registers the public log with the site: tables, settings, alerts, metrics, job and services. */
import { asSite } from "../../platform/kv/mod.ts";
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { AlertServices } from "../alerts/feature.ts";
import type { ChainServices } from "../chain/feature.ts";
import { LOG_ALERTS, reportRefusal, reportUnconfirmed } from "./alerts.ts";
import { LOG_METRICS, logGauges } from "./gauges.ts";
import { createLogJob, LOG_JOB } from "./log_job.ts";
import { createLog, type Log, type Witness } from "./mod.ts";
import { configuredAnchor, configuredWitnesses, originOf } from "./open.ts";
import type { Bucket } from "./store/anchor.ts";
import { createAddEvent } from "./store/chains.ts";
import { completeLog } from "./store/complete.ts";
import { createAddKeys, logPublishedKeys } from "./store/key_sets.ts";
import { openLogKeys } from "./store/keys.ts";
import { LogOriginError, noteOrigin } from "./store/origin.ts";
import { createLogProofs, type LogProofs } from "./store/proofs.ts";
import { createPublisher } from "./store/publish.ts";
import { createLogFiles, type LogFiles } from "./store/serve.ts";
import { logTables } from "./store/tables.ts";
import { type LogConfig, logSettings } from "./variables.ts";

export interface LogServices {
  /** The public log of chains, documents and keys. */
  publicLog: Log;
  /** The files of the log for everybody. */
  logFiles: LogFiles;
  /** The proofs that chains and documents are in the log. */
  logProofs: LogProofs;
}

interface LogHooks {
  /** The witness that this process runs itself, in development. */
  ownWitness: () => Promise<Witness>;
}

type Below = Platform & AlertServices & ChainServices & Hooked<LogHooks> & {
  config: {
    env: "development" | "production";
    log: LogConfig;
    /** The settings of a feature above, whose bucket the anchor can be in. */
    documents: { s3?: Bucket };
  };
};

export const logFeature = defineFeature({
  name: "log",
  tables: logTables,
  settings: logSettings,
  alerts: LOG_ALERTS,
  metrics: LOG_METRICS,
  create: ({ config, kv, clock, fetch, surfaces, hooks, jobs }: Below): LogServices => {
    const origin = originOf(surfaces);
    const { signingKeys } = config.log;
    const configured = configuredWitnesses(config.log, fetch);
    let opened: ReturnType<typeof openLogKeys> | undefined;
    const publicLog = createLog({
      kv,
      clock,
      origin,
      signers: () =>
        opened ??= asSite(() => openLogKeys(kv, signingKeys, origin)).catch((error) => {
          opened = undefined; // the next call tries again
          throw error;
        }),
      witnesses: async () =>
        configured.length > 0
          ? configured
          : await Promise.all((hooks.ownWitness?.() ?? []).map((open) => open())),
      nudge: () => jobs.soon(LOG_JOB),
    });
    const url = surfaces.url("trust", "/log") ?? `https://${origin}`;
    return {
      publicLog,
      logFiles: createLogFiles({ kv, log: publicLog, url }),
      logProofs: createLogProofs({ kv, policy: config.log.policy, ...publicLog }),
    };
  },
  hooks: {
    onEvent: ({ kv, clock, publicLog }) =>
      createAddEvent({ kv, clock, committed: publicLog.nudge }),
    onKeys: createAddKeys,
  },
  // A process without the trust host may not have the variables of the log.
  gauges: (services) => services.surfaces.get("trust") === undefined ? [] : [logGauges(services)],
  jobs: ({ publicLog: { origin, signers, witnesses }, config, surfaces, ...services }) => {
    if (surfaces.get("trust") === undefined) return [];
    const { alerts, chains, fetch, kv, clock, log, monotonic } = services;
    const { policy, quorumRequired } = config.log;
    return [createLogJob({
      kv,
      monotonic,
      async begin() {
        try {
          await noteOrigin(kv, origin, clock());
        } catch (error) {
          // Two sites of development can share a store. Its start has said which of them has the log.
          if (config.env === "production" || !(error instanceof LogOriginError)) throw error;
          return error.origin;
        }
        await logPublishedKeys(kv, clock, chains.keys);
        return null;
      },
      complete: () => completeLog(kv),
      publisher: createPublisher({
        kv,
        clock,
        origin,
        signers,
        witnesses,
        log,
        ...quorumRequired ? { required: policy } : {},
        anchor: configuredAnchor(config.log, config.documents.s3, fetch),
        onRefused: (evidence) => reportRefusal(alerts, evidence),
        onUnconfirmed: (names) => reportUnconfirmed(alerts, names),
      }),
    })];
  },
});
