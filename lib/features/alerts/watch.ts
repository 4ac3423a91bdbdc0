/** The check for urgent alerts that every process makes each minute. */
import { MINUTE_MS } from "../../base/time.ts";
import type { AlertKinds } from "../../platform/alert_kind.ts";
import type { Platform } from "../../platform/feature.ts";
import { asSite, ifWritable } from "../../platform/kv/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import { type Cause, causeOf, createCauseReader, joinCauses } from "./causes.ts";
import { observe } from "./condition.ts";
import { SENDER_REFUSED } from "./setup_conditions.ts";
import { createHeartbeat } from "./heartbeat.ts";
import type { Alerts } from "./mod.ts";
import type { AlertRecipients } from "./recipients.ts";
import { createStoreConditions, STORE_ALERTS, type StoreCondition } from "./store_conditions.ts";
import { createUrgentMails } from "./urgent.ts";
import type { UrgentMailOptions } from "./urgent_mail.ts";

const EVERY_MS = MINUTE_MS;
/** How long a failure to send counts, if nothing was sent since. */
const TROUBLE_MS = 30 * MINUTE_MS;

/** Mails what needs somebody now. Every process has one, because the store may be what has failed. */
export interface AlertWatch {
  /** Starts to look every minute. */
  start(): void;
  /** Looks for causes once, mails new ones, and sends the heartbeat. */
  tick(): Promise<void>;
  /** Stops, and waits for what is being sent. */
  stop(): Promise<void>;
}

interface AlertWatchOptions extends Platform, Pick<UrgentMailOptions, "organisations"> {
  alerts: Alerts;
  recipients: AlertRecipients;
  heartbeatUrl: () => string | null;
  /** Returns why features consider the site unwell or mail stuck; null if they do not. */
  unwell: () => Promise<string | null>;
}

export function createAlertWatch(options: AlertWatchOptions): AlertWatch {
  const { kv, clock, schedule, log, alerts, mailer, recipients, store } = options;
  const kinds = (): AlertKinds => options.alertKinds;
  const readCauses = createCauseReader({ kv, clock, kinds });
  const conditionsOf = createStoreConditions({ store, clock });
  const mail = createUrgentMails({ ...options, kinds });
  const beat = createHeartbeat({ ...options, url: options.heartbeatUrl });
  /** When each condition of the store began, ISO 8601. */
  const since = new Map<string, string>();
  /** The causes in the store, as they were read last. */
  let stored: readonly Cause[] = [];
  let cancel = () => {};
  let running: Promise<void> | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const state = await store.check();
    const conditions = conditionsOf(state);
    // The contents of a store that was put in place of ours say nothing about our site.
    if (state === "ok") await readStore(conditions);
    const noticed = [...own(conditions), ...alerts.noticed()];
    const causes = joinCauses([...noticed, ...stored]);
    const reached = await mail(causes);
    await beat(silenceOf(state, causes, reached) ?? await unwell());
  }

  /** Reads recipients and causes, and notes the conditions that the store accepts as alerts. */
  async function readStore(conditions: readonly StoreCondition[]): Promise<void> {
    try {
      await recipients.read();
      stored = await readCauses();
      await noteConditions(conditions);
    } catch {
      log({ level: "warn", event: "alerts_not_read" });
    }
  }

  async function noteConditions(conditions: readonly StoreCondition[]): Promise<void> {
    for (const kind of Object.keys(STORE_ALERTS)) {
      const isTrue = conditions.some((each) => each.kind === kind);
      const isOpen = stored.some((cause) => cause.kind === kind);
      if (isTrue === isOpen) continue;
      for (const organisation of ORGANISATIONS) {
        const problem = {
          condition: { kind, reopens: true },
          organisation,
          problem: "store",
        } as const;
        await ifWritable(() => observe({ kv, clock }, problem, { state: isTrue ? "bad" : "ok" }));
      }
    }
    if (conditions.length === 0) stored = stored.filter(({ kind }) => !(kind in STORE_ALERTS));
  }

  /** Returns the causes that the conditions of the store are. */
  function own(conditions: readonly StoreCondition[]): Cause[] {
    const now = new Date(clock()).toISOString();
    for (const kind of since.keys()) {
      if (!conditions.some((each) => each.kind === kind)) since.delete(kind);
    }
    return conditions.flatMap((condition) => {
      const began = since.getOrInsert(condition.kind, now);
      const alert = { organisation: "commercial", ...condition } as const;
      return causeOf(kinds(), alert, { since: began }) ?? [];
    });
  }

  /** Returns why the outside monitor must hear nothing now; null if there is no reason. */
  function silenceOf(state: string, causes: readonly Cause[], reached: boolean): string | null {
    if (state !== "ok") return `store_${state}`;
    if (store.disk !== null || store.readOnly !== null) return "read_only";
    if (causes.some(({ kind }) => kind === SENDER_REFUSED)) return SENDER_REFUSED;
    const { trouble } = mailer;
    if (trouble !== null && clock() - trouble.at < TROUBLE_MS) return `mail_${trouble.failure}`;
    return reached ? null : "mail_failed";
  }

  const unwell = (): Promise<string | null> => options.unwell().catch(() => "not_measured");

  function tick(): Promise<void> {
    running ??= asSite(look).catch((error) =>
      log({ level: "error", event: "internal", stack: error instanceof Error ? error.stack : "" })
    ).finally(() => running = undefined);
    return running;
  }

  function next(): void {
    // A tick never rejects, because it logs what fails.
    if (!stopped) cancel = schedule(() => void tick().finally(next), EVERY_MS);
  }

  return {
    start: next,
    tick,
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
