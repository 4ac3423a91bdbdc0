/**
 * Checks the services that this deployment depends on (spec 4.7).
 *
 * @module
 */
import { CACHE_LIFETIMES } from "../bank/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { formatDateTime } from "../../base/time.ts";
import { healthOf, type InfraHealth } from "./health.ts";
import type { LogStatus } from "../log/mod.ts";
import { logReadings } from "./log_readings.ts";
import {
  dependencies,
  drawMap,
  type InfraMap,
  type InfraNode,
  LOG_NODE,
  type MapDeps,
  WITNESS_NODE,
} from "./map.ts";
import {
  type Check,
  type Checks,
  createMonitor,
  type Finding,
  type MonitorOptions,
} from "./monitor.ts";
import { bankProbe, createProbes, mailCheck, type ProbeDeps } from "./probes.ts";
import { type PublicStatus, publicStatus } from "./public_status.ts";
import type { Reading } from "./readings.ts";

export { countedNodes, type InfraHealth } from "./health.ts";
export type { InfraMap, InfraNode, NodeState } from "./map.ts";
export { type Box, layOut } from "./layout.ts";
export type { Check, Checks } from "./monitor.ts";
export { type HealthRow } from "./health_job.ts";
export { HEALTH_ALERTS, type HealthKind, type Reading, readingsOf } from "./readings.ts";
export { bankProbe, mailCheck, originProbe } from "./probes.ts";
export type { PublicState, PublicStatus } from "./public_status.ts";

/** Every method probes services whose last result is old, and returns within 0.5 seconds. */
export interface Infra {
  /** @param checks those of the last call of {@link Infra.checks}, if they have been read already */
  map(organisation: OrganisationKey, checks?: Checks): Promise<InfraMap>;
  /** Returns the worst state in an organisation's map, and the names of the services concerned. */
  health(organisation: OrganisationKey): Promise<InfraHealth>;
  /** Returns the last results of all probes, by their names. */
  checks(): Promise<Checks>;
  /**
   * Returns the services and origins that both organisations use, after all probes have ended, which
   * takes two seconds at most. For jobs, not for requests.
   */
  services(): Promise<InfraNode[]>;
  /** Returns what everyone may know: the states of the services that visitors depend on. */
  publicStatus(): Promise<PublicStatus>;
  /** Aborts the running probes. */
  close(): Promise<void>;
}

export type InfraOptions =
  & ProbeDeps
  & MapDeps
  & Pick<MonitorOptions, "elapsed" | "schedule">
  & {
    /** Returns when an organisation's bank last sent its accounts, ISO 8601; null if it never did. */
    lastBankResponse: (organisation: OrganisationKey) => Promise<string | null>;
    /** Returns what the mail server replied when it last refused an organisation's sender; null if it did not. */
    senderRefusal: (organisation: OrganisationKey) => Promise<string | null>;
    /** Reads the state of the public log. */
    logStatus: () => Promise<LogStatus>;
  };

/** Creates the map of a deployment. Nothing is probed yet. */
export function createInfra(options: InfraOptions): Infra {
  const { config, clock, lastBankResponse, senderRefusal } = options;
  /** The state of the log when it was read last, for the nodes of its witnesses. */
  let log: { readings: Reading[]; at: number } | undefined;

  async function checkLog(): Promise<Finding> {
    const at = clock();
    const readings = logReadings(await options.logStatus(), at);
    log = { readings, at };
    const wrong = readings.filter(({ kind, state }) => kind !== "witness_missing" && isBad(state));
    return wrong.length === 0
      ? readings.length === 0 ? { detail: "Nothing was logged yet." } : {}
      : { problem: wrong.map(sentenceOf).join(" ") };
  }

  const probes = createProbes(options);
  if (config.surfaceHosts.trust !== undefined) probes[LOG_NODE] = checkLog;
  const monitor = createMonitor({ ...options, probes });

  /**
   * Completes the results of the probes. A bank that sent its accounts while they are cached, but not
   * within a probe's limit, is slow: the pages show its figures as current. A mail server that refuses
   * the sender sends no mail, even though it responds.
   *
   * @param senders the organisations whose senders count
   */
  async function complete(probed: Checks, senders: readonly OrganisationKey[]): Promise<Checks> {
    const results = new Map([...probed, ...witnessChecks()]);
    const mail = probed.get("mail");
    // All at once, so that they take one round trip.
    await Promise.all((["foundation", "commercial"] as const).map(async (organisation) => {
      const name = bankProbe(config.bank, organisation);
      const check = probed.get(name);
      const [refusal, last] = await Promise.all([
        mail === undefined || mail.state === "down" || !senders.includes(organisation)
          ? null
          : senderRefusal(organisation),
        check?.timedOut === true ? lastBankResponse(organisation) : null,
      ]);
      if (mail !== undefined) {
        results.set(mailCheck(organisation), refusal === null ? mail : refused(mail, refusal));
      }
      if (last !== null && clock() - Date.parse(last) < CACHE_LIFETIMES["bank:accounts"]) {
        results.set(name, { ...check!, state: "slow" });
      }
    }));
    return results;
  }

  /** Returns a check for each witness that the log has asked. */
  const witnessChecks = (): [name: string, check: Check][] =>
    (log?.readings ?? []).filter(({ kind, state }) =>
      kind === "witness_missing" && state !== "unknown"
    ).map((reading) => [WITNESS_NODE + reading.id.slice(reading.id.indexOf(":") + 1), {
      state: isBad(reading.state) ? "down" : "up",
      at: log!.at,
      latencyMs: 0,
      detail: sentenceOf(reading),
    }]);

  const checks = async (...senders: OrganisationKey[]) =>
    await complete(await monitor.read(), senders);
  const map = async (organisation: OrganisationKey, known?: Checks) =>
    drawMap(options, organisation, known ?? await checks(organisation));
  return {
    map,
    // It is not known whether a surface responds, so only the other nodes count.
    health: async (organisation) =>
      healthOf(dependencies(options, organisation, await checks(organisation))),
    checks: () => checks("foundation", "commercial"),
    // A refused sender has an alert of its own, so it is not a problem of the service here.
    services: async () => dependencies(options, "commercial", asProbed(await monitor.readAll())),
    publicStatus: async () => publicStatus(await monitor.read(), Object.keys(probes)),
    close: monitor.close,
  };
}

const isBad = (state: Reading["state"]) => state === "bad";

const sentenceOf = ({ text, at }: Reading): string =>
  `${text}${at === null ? "" : ` ${formatDateTime(at)}`}.`;

const refused = (mail: Check, reply: string): Check => ({
  ...mail,
  state: "down",
  detail:
    `The mail server refuses the sender${
      reply === "" ? "" : ` (reply ${reply})`
    }, so no email is ` +
    "sent. The alert says what to check.",
});

/** Returns the results with those of both organisations' mail as the probe found them. */
function asProbed(probed: Checks): Checks {
  const mail = probed.get("mail");
  if (mail === undefined) return probed;
  return new Map([...probed, [mailCheck("foundation"), mail], [mailCheck("commercial"), mail]]);
}
