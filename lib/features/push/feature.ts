/** Adds push notifications to the site: their services, settings and jobs. */
import { inMorning } from "../../platform/alert_kind.ts";
import { apart } from "../../platform/kv/mod.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { OUTBOX_METRICS, outboxGauges } from "../../platform/jobs/mod.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { addAlert } from "../alerts/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import { ownerOf, readContact } from "../contact/mod.ts";
import type { RecordServices } from "../records/feature.ts";
import { deletesUnseen } from "./devices.ts";
import { createPush, type Push, type PushInbox, type PushProviders } from "./mod.ts";
import type { PushPlatform, PushProvider } from "./provider.ts";
import { type PushConfig, pushSettings } from "./variables.ts";
import { createPushServices } from "./providers/mod.ts";
import { PUSH_CHANNEL, pushes } from "./sender.ts";
import { pushTables, resealDevices } from "./rows.ts";

export interface PushServices {
  /** Notifications on the holders' devices. */
  push: Push;
  /** The providers, by the platform that they send to. */
  pushProviders: PushProviders;
  closePushProviders: () => void;
  /** Null without the stand-in for the push services. */
  pushInbox: PushInbox | null;
}

type Below = Platform & ChainServices & RecordServices & {
  config: { push: PushConfig };
  overrides: { pushProviders?: PushProviders };
};

const PUSH_FAILED = "push_failed";

export const pushFeature = defineFeature({
  name: "push",
  tables: pushTables,
  settings: pushSettings,
  alerts: { [PUSH_FAILED]: inMorning("Notification not delivered") },
  metrics: [pushes, ...OUTBOX_METRICS],
  gauges: (services) => [outboxGauges(services, PUSH_CHANNEL)],
  create({ config, live, overrides, surfaces, ...below }: Below): PushServices {
    const { kv, clock, fetch } = below;
    const services = live(
      () => config.push,
      (push) => createPushServices(push, { fetch, clock }),
      (old) => old.close(),
    );
    const { standIn } = config.push;
    const current = (): PushProviders => ({ ...standIn?.providers, ...services().providers });
    const pushProviders = overrides.pushProviders ?? currentProviders(current);
    return {
      push: createPush({
        ...below,
        providers: pushProviders,
        url: surfaces.url("trust", "/my-record") ?? "",
        notices: below.records.notices,
        async addToLoss(commit, { hash, reason, ...details }) {
          const contact = await apart(
            "An alert only names its record.",
            () => readContact(kv, hash),
          );
          if (contact === null) return;
          const alert = {
            organisation: ownerOf(contact),
            kind: PUSH_FAILED,
            problem: `${details.platform ?? "push"}/${reason}`,
            links: { record: hash },
            details: { reason, ...details },
          } as const;
          await addAlert(kv, commit, alert, clock());
        },
      }),
      pushProviders,
      closePushProviders: () => services().close(),
      pushInbox: standIn?.inbox ?? null,
    };
  },
  migrations: (services) => [resealDevices(services)],
  jobs: ({ push }) => [{
    name: "push",
    title: "Sending notifications",
    everyMs: 15 * SECOND_MS,
    maxMs: MINUTE_MS,
    async run({ signal }) {
      const { sent, failed } = await push.drain(signal);
      return `${sent} sent, ${failed} failed`;
    },
  }],
  deletesDue: deletesUnseen,
  hooks: {
    onEvent: ({ push }) => push.addToEvent,
    onGrantEnd: ({ push }) => push.onGrantEnd,
    recordData: ({ push }) => [push.recordData],
  },
  async close({ push, closePushProviders }, limitMs) {
    await push.close(limitMs);
    closePushProviders();
  },
});

/** Returns providers that pass each message to the current one. */
const currentProviders = (current: () => PushProviders): PushProviders =>
  Object.fromEntries(
    (Object.keys(current()) as PushPlatform[]).map((platform): [PushPlatform, PushProvider] => [
      platform,
      { send: (target, message) => current()[platform]!.send(target, message) },
    ]),
  );
