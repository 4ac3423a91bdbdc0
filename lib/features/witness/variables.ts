/** The environment variables of the witness that the site serves. */
import { z } from "zod";
import { hostnameOf, text } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";
import {
  parsePolicy,
  PolicyError,
  type PolicyLog,
  type PrivateJwk,
} from "../../../packages/proof/mod.ts";
import { privateKey } from "../chain/variables.ts";

export interface WitnessConfig {
  /** The name of its key. */
  name: string;
  /** If undefined, development generates a key, and keeps it in the witness's store. */
  signingKey?: PrivateJwk;
  /** The logs that it countersigns; undefined in development for the process's own log. */
  logs?: PolicyLog[];
  /** Its store, which is never the site's. If undefined, development has a file next to the site's store. */
  kvPath?: string;
}

/** Logs as lines of a policy, without witnesses. */
export const witnessLogs = text.transform((value, ctx): PolicyLog[] => {
  try {
    const { logs, witnesses, groups, quorum } = parsePolicy(
      /^[ \t]*quorum/m.test(value) ? value : `${value}\nquorum none`,
    );
    if (witnesses.length === 0 && groups.length === 0 && quorum === null) return logs;
    ctx.addIssue({ code: "custom", message: LOGS });
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    ctx.addIssue({ code: "custom", message: `${LOGS} (${error.message})` });
  }
  return z.NEVER;
});

const LOGS = "lines such as: log <vkey> [url]";

/** The name of a key, as `parseVerifierKey` accepts it. */
export const witnessName = text.regex(
  /^[^\s+\p{Cc}]{1,200}$/u,
  "a name without spaces and plus signs",
);

export const witnessSettings = defineSettings({
  variables: {
    WITNESS_NAME: witnessName.optional(),
    WITNESS_SIGNING_KEY: privateKey.optional(),
    WITNESS_LOGS: witnessLogs.optional(),
    WITNESS_KV_PATH: text.min(1).optional(),
  },
  config: (values, { hosts }): { witness: WitnessConfig } => ({
    witness: {
      name: values.WITNESS_NAME ?? hostnameOf(hosts.witness?.[0] ?? "witness.localhost"),
      signingKey: values.WITNESS_SIGNING_KEY,
      logs: values.WITNESS_LOGS,
      kvPath: values.WITNESS_KV_PATH,
    },
  }),
  problems(values, { production, denoDeploy, namedHosts }) {
    if (!production || namedHosts.witness === undefined) return [];
    const lines: string[] = [];
    if (denoDeploy) {
      lines.push(
        "SURFACE_HOSTS: should not name witness on Deno Deploy, because an app has one store, and a witness " +
          "needs one of its own",
      );
    }
    // Without SURFACE_HOSTS, all surfaces are named, and that alone is the problem.
    if (namedHosts.trust !== undefined && namedHosts.workbench === undefined) {
      lines.push(
        "SURFACE_HOSTS: should not name witness and trust for one process in production, because a " +
          "witness in the log's process proves nothing",
      );
    }
    if (values.WITNESS_SIGNING_KEY === undefined) {
      lines.push("WITNESS_SIGNING_KEY: should be set, because the witness signs with it");
    }
    if (values.WITNESS_LOGS === undefined) {
      lines.push(`WITNESS_LOGS: should be ${LOGS}, because the witness signs only for these`);
    }
    if (values.WITNESS_KV_PATH === undefined) {
      lines.push("WITNESS_KV_PATH: should be a store of its own, which is in no backup");
    }
    return lines;
  },
});
