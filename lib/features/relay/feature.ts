import { defineFeature, type Platform } from "../../platform/feature.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import { createRelay, type Relay } from "./mod.ts";
import { type RelaysConfig, relaySettings } from "./variables.ts";

export interface RelayServices {
  /** The relays, by host. */
  relays: ReadonlyMap<string, Relay>;
}

type Below = Platform & { config: { relays: RelaysConfig } };

const relayBytes = counter("relay_bytes", "Bytes of bodies that relays have sent.", {
  relay: null,
});

export const relayFeature = defineFeature({
  name: "relay",
  settings: relaySettings,
  metrics: [relayBytes],
  create: (
    { config: { relays: { all, timeoutMs } }, fetch, log, count }: Below,
  ): RelayServices => ({
    relays: new Map(all.map((relay) => {
      const onBytes = (bytes: number) => count(relayBytes, { relay: relay.name }, bytes);
      return [relay.host, createRelay(relay, { fetch, timeoutMs, log, onBytes })];
    })),
  }),
});
