/** Registers the monitoring of the deployment with the site: tables, metrics, alerts and jobs. */
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { readSenderRefusal } from "../alerts/mod.ts";
import type { BankServices } from "../bank/feature.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { LogServices } from "../log/feature.ts";
import { readStatus } from "../log/mod.ts";
import type { PushServices } from "../push/feature.ts";
import { type ClockWatch, createClockWatch } from "./clock_watch.ts";
import { HEALTH_METRICS, healthGauges } from "./gauges.ts";
import { createHealthJob, type HealthRow, healthTable, readHealth } from "./health_job.ts";
import { measure, type MeasureDeps } from "./measure.ts";
import { HEALTH_ALERTS } from "./readings.ts";
import { unwellOf } from "./unwell.ts";
import { createInfra, type Infra, type InfraOptions } from "./mod.ts";

interface InfraServices {
  /** Checks of the services that the deployment depends on. */
  infra: Infra;
  /** Returns the last readings of any process; null before the first. */
  lastHealth(): Promise<HealthRow | null>;
  clockWatch: ClockWatch;
}

type Below = Platform & BankServices & ChainServices & LogServices & PushServices & {
  config: InfraOptions["config"] & MeasureDeps["config"];
  overrides: Pick<MeasureDeps, "certificateAddress" | "memoryUsed">;
};

export const infraFeature = defineFeature({
  name: "infra",
  tables: [healthTable],
  alerts: HEALTH_ALERTS,
  metrics: HEALTH_METRICS,
  create({ treasuries, ...below }: Below): InfraServices {
    const { config, kv, live } = below;
    const clockWatch = createClockWatch(below);
    const current = live(
      () => [config.bank, config.codes, config.documents, config.mail, config.relays],
      () =>
        createInfra({
          ...below,
          clockWatch,
          lastBankResponse: (organisation) => treasuries[organisation].lastResponse(),
          senderRefusal: (organisation) => readSenderRefusal(below, organisation),
          logStatus: () => readStatus(kv, below.publicLog),
        }),
      (old) => void old.close(), // it never rejects, because probes report what fails
    );
    return {
      infra: {
        map: (organisation, checks) => current().map(organisation, checks),
        health: (organisation) => current().health(organisation),
        checks: () => current().checks(),
        services: () => current().services(),
        publicStatus: () => current().publicStatus(),
        close: () => current().close(),
      },
      clockWatch,
      lastHealth: () => readHealth(kv),
    };
  },
  gauges: (services) => [healthGauges(services)],
  jobs: ({ infra, overrides: { certificateAddress, memoryUsed }, ...services }) => {
    const deps: MeasureDeps = {
      ...services,
      services: infra.services,
      logStatus: () => readStatus(services.kv, services.publicLog),
      certificateAddress,
      memoryUsed,
    };
    return [createHealthJob({
      ...services,
      measure: (previous, signal) => measure(deps, previous, signal),
    })];
  },
  hooks: { unwell: ({ lastHealth, clock }) => async () => unwellOf(await lastHealth(), clock()) },
  stop: ({ infra }) => infra.close(),
});
