/** Adds the foundation's witness to the site, with its own database, and has the site's log ask it. */
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { isFile, openKv, ReadOnlyError } from "../../platform/kv/mod.ts";
import { problemOf, problemResponse } from "../../platform/http/errors.ts";
import type { AlertServices } from "../alerts/feature.ts";
import type { PolicyLog } from "../../../packages/proof/mod.ts";
import type { LogServices } from "../log/feature.ts";
import type { Witness as AskedWitness } from "../log/mod.ts";
import { reportFault, WITNESS_ALERTS } from "./alerts.ts";
import { addCheckpoint } from "./responses.ts";
import { compareWithLogs, openSigner } from "./open.ts";
import { type WitnessConfig, witnessSettings } from "./variables.ts";
import { createWitness, LIMITS, type Witness, type WitnessFault } from "./witness.ts";

interface WitnessServices {
  /** The foundation's witness. */
  witness: {
    /** Where its store is. */
    path: string;
    /**
     * Opens its store and its key when it is first needed.
     *
     * @throws {ConfigError} (rejects) if it cannot be opened with this configuration
     */
    open(): Promise<Witness>;
    /** Closes its store. */
    close(): Promise<void>;
  };
}

type Below = Platform & AlertServices & LogServices & {
  config: {
    env: "development" | "production";
    kvPath: string | undefined;
    store: { allowEmpty: boolean };
    witness: WitnessConfig;
  };
  /** Tests open a store in memory. */
  overrides: { openWitnessKv?: () => Promise<Deno.Kv> };
};

export const witnessFeature = defineFeature({
  name: "witness",
  settings: witnessSettings,
  alerts: WITNESS_ALERTS,
  create(
    { config, overrides, alerts, publicLog, surfaces, clock, ...below }: Below,
  ): WitnessServices {
    const { monotonic, fetch, log } = below;
    const { name, signingKey: configured, logs: given } = config.witness;
    const isDevelopment = config.env === "development";
    const path = config.witness.kvPath ?? besides(config.kvPath);
    let opened: Promise<{ kv: Deno.Kv; witness: Witness }> | undefined;

    async function logs(): Promise<readonly PolicyLog[]> {
      if (given !== undefined || !isDevelopment) return given ?? [];
      try {
        const signers = await publicLog.signers();
        return signers.map(({ key }) => ({ key, url: null }));
      } catch (error) {
        if (error instanceof ReadOnlyError) return []; // no key was generated yet
        throw error;
      }
    }

    async function open() {
      const kv = await (overrides.openWitnessKv?.() ?? openKv(path, warn)).catch((error) => {
        throw new ConfigError([
          `WITNESS_KV_PATH: should be a store that can be opened (${error.message})`,
        ]);
      });
      try {
        const isNewKey = config.store.allowEmpty;
        const signer = await openSigner(kv, { name, configured, isNewKey });
        // Its only log is then the process's own.
        const limits = isDevelopment ? { ...LIMITS, growth: 0 } : LIMITS;
        const onFault = (fault: WitnessFault) =>
          reportFault({ alerts, url: surfaces.url("witness") }, fault)
            .catch((error) => log({ level: "error", event: "internal", stack: error.stack }));
        const witness = createWitness({
          ...{ kv, signer, logs, clock, monotonic, limits, log },
          onFault,
        });
        await compareWithLogs(witness, given ?? [], createLocalFetch(fetch));
        return { kv, witness };
      } catch (error) {
        kv.close();
        throw error;
      }
    }

    return {
      witness: {
        path,
        async open() {
          opened ??= open().catch((error) => {
            opened = undefined; // the next call tries again
            throw error;
          });
          return (await opened).witness;
        },
        close: async () => (await opened?.catch(() => undefined))?.kv.close(),
      },
    };
  },
  hooks: {
    // Only development has a witness in the log's process.
    ownWitness: ({ config, surfaces, witness }) =>
      config.env === "production" || surfaces.get("witness") === undefined
        ? []
        : async () => askedBy(await witness.open(), surfaces.url("witness", "/")),
  },
  close: ({ witness }) => witness.close(),
});

/** Returns a witness as the log of the same process asks it. */
const askedBy = (witness: Witness, url: string | null): AskedWitness => ({
  name: witness.key.name,
  key: witness.key,
  url,
  own: true,
  submit: (body) =>
    addCheckpoint(
      witness,
      new Request("http://witness.localhost/", { method: "POST", body }),
      "own",
    )
      .catch((error) => problemResponse(problemOf(error))),
});

const warn = (message: string) => console.warn(message.replace("KV_PATH", "WITNESS_KV_PATH"));

/** Returns the store of development. It has the name of the site's, so that one pattern deletes both. */
const besides = (path: string | undefined): string =>
  isFile(path) ? `${path}-witness` : path === ":memory:" ? path : ".data/witness.kv";
