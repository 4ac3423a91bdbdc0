/** Adds relays to the site: one per host, with current settings and counted bytes. */
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import {
  createRelay,
  createRelayClients,
  type OpenResponses,
  type Relay,
  type RelayConfig,
  revoke,
} from "./mod.ts";
import { type RelaysConfig, relaySettings } from "./variables.ts";

interface RelayServices {
  /** Returns the relay at a host, with its current slug and token; undefined if there is none. */
  relayOf: (host: string) => Relay | undefined;
}

interface Served {
  settings: RelayConfig;
  relay: Relay;
  open: OpenResponses;
}

type Below = Platform & { config: { relays: RelaysConfig } };

const relayBytes = counter("relay_bytes", "Bytes of bodies that relays have sent.", {
  relay: null,
});

export const relayFeature = defineFeature({
  name: "relay",
  settings: relaySettings,
  metrics: [relayBytes],
  create({ config, live, fetch, log, count }: Below): RelayServices {
    const clients = createRelayClients();

    const relays = live(
      () => config.relays,
      ({ all, timeoutMs }, old?: Map<string, Served>): Map<string, Served> =>
        new Map(all.map((settings) => {
          const { host, name } = settings;
          const open: OpenResponses = old?.get(host)?.open ?? new Map();
          const onBytes = (bytes: number) => count(relayBytes, { relay: name }, bytes);
          const deps = { fetch, timeoutMs, log, onBytes, clients, open };
          return [host, { settings, relay: createRelay(settings, deps), open }];
        })),
      revokeOld,
    );

    /** A slug that is no longer valid stops at once, also for responses that are being sent. */
    function revokeOld(old: Map<string, Served>, current: Map<string, Served>) {
      for (const [host, { settings, open }] of old) {
        const valid = slugsOf(current.get(host)?.settings);
        const revoked = slugsOf(settings).filter((slug) => !valid.includes(slug));
        if (revoked.length === 0) continue;
        const cut_off = revoked.map((slug) => revoke(open, slug)).reduce((a, b) => a + b, 0);
        log({ level: "info", event: "relay_slug_revoked", relay: settings.name, cut_off });
      }
    }

    return { relayOf: (host) => relays().get(host)?.relay };
  },
});

const slugsOf = (settings?: RelayConfig): string[] =>
  settings === undefined ? [] : [settings.slug, settings.previousSlug ?? []].flat();
