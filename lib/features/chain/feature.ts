/** Registers the chains of events with the site: tables, settings, metrics, services and hooks. */
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import { type BoundedCache, createBoundedCache } from "../../platform/http/bounded_cache.ts";
import { type StoredPage, storedPageSize } from "../../platform/http/feed.ts";
import { publisherOf } from "../../platform/surfaces/mod.ts";
import { chainTables } from "./tables.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import { type AddToEvent, type AddToKeys, type Chains, createChains, heads } from "./mod.ts";
import { type ChainConfig, chainSettings } from "./variables.ts";

export interface ChainServices {
  chains: Chains;
  /** Serialised pages of chains. Without them, the 95th percentile of a request for one is 3 to 6 ms later. */
  feedPages: BoundedCache<StoredPage>;
}

/** The hooks through which other features add to the commit of every event, whichever feature appends it. */
interface ChainHooks {
  onEvent: AddToEvent;
  /** Takes part in the commit that publishes a signing key. */
  onKeys: AddToKeys;
}

type Below = Platform & Hooked<ChainHooks> & { config: { chain: ChainConfig } };

/** A few thousand pages. */
const CACHE_BYTES = 16_000_000;

const appends = counter("appends", "Events appended to chains.", { kind: null });

export const chainFeature = defineFeature({
  name: "chain",
  tables: chainTables,
  settings: chainSettings,
  metrics: [appends],
  create: ({ config, surfaces, streams, count, hooks, ...below }: Below): ChainServices => ({
    chains: createChains({
      ...below,
      publisher: publisherOf(surfaces),
      signingKey: config.chain.signingKey,
      async addToEvent(commit, hash, event) {
        const adding = (hooks.onEvent?.() ?? []).map((add) => add(commit, hash, event));
        const committed = await Promise.all(adding);
        return () => committed.forEach((run) => run?.());
      },
      async addToKeys(...change) {
        for (const add of hooks.onKeys?.() ?? []) await add(...change);
      },
      onAppend(hash, kind) {
        count(appends, { kind });
        streams.changed(heads.key(hash));
      },
    }),
    feedPages: createBoundedCache({ limit: CACHE_BYTES, sizeOf: storedPageSize }),
  }),
});
