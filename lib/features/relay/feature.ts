import { defineFeature, type Platform } from "../../platform/feature.ts";
import { createRelay, type Relay } from "./mod.ts";
import type { RelaysConfig } from "./variables.ts";

export interface RelayServices {
  /** By host. */
  relays: ReadonlyMap<string, Relay>;
}

type Below = Platform & { config: { relays: RelaysConfig } };

export const relayFeature = defineFeature({
  name: "relay",
  create: (
    { config: { relays: { all, timeoutMs } }, fetch, log, count }: Below,
  ): RelayServices => ({
    relays: new Map(all.map((relay) => {
      const onBytes = (bytes: number) => count("relay_bytes", { relay: relay.name }, bytes);
      return [relay.host, createRelay(relay, { fetch, timeoutMs, log, onBytes })];
    })),
  }),
});
