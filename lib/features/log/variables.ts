/** The environment variables of the public log: keys, witnesses, quorum and anchor. */
import { z } from "zod";
import { json, list, text, textFor } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";
import {
  EMPTY_POLICY,
  isChecked,
  parsePolicy,
  type Policy,
  PolicyError,
  type PrivateJwk,
  privateJwkSchema,
  satisfiesQuorum,
  uncheckedWitnesses,
} from "../../../packages/proof/mod.ts";

export interface LogConfig {
  /** The log's keys, at most two. Empty in development: then one is generated and stored. */
  signingKeys: PrivateJwk[];
  /** The witnesses that are asked, and the quorum. */
  policy: Policy;
  /** The names of witnesses that the same operator runs. */
  ownWitnesses: string[];
  /** True if nothing is published without the policy's quorum. */
  quorumRequired: boolean;
  /** Where the size and root of the newest checkpoint are kept, outside the store. */
  anchor?: string;
}

const KEYS = "an Ed25519 private key as a JWK with kty, crv, x and d, or an array of two";

const keysSchema = z.union([
  privateJwkSchema.transform((key) => [key]),
  z.array(privateJwkSchema).min(1).max(2),
]);

const policyText = text.transform((value, ctx): Policy => {
  try {
    return parsePolicy(value);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    ctx.addIssue({ code: "custom", message: `a policy of witnesses (${error.message})` });
    return z.NEVER;
  }
});

export const logSettings = defineSettings({
  variables: {
    LOG_SIGNING_KEY: json(KEYS).pipe(
      z.unknown().refine((value) => keysSchema.safeParse(value).success, KEYS)
        .transform((value) => keysSchema.parse(value)),
    ).optional(),
    LOG_WITNESSES: policyText.optional(),
    LOG_OWN_WITNESSES: list.default([]),
    LOG_QUORUM: z.enum(["optional", "required"], "optional or required").default("optional"),
    LOG_ANCHOR: textFor(
      z.string().min(1),
      "a file outside the store, or an object such as s3:log-anchor",
    ).optional(),
  },
  config: (values): { log: LogConfig } => ({
    log: {
      signingKeys: values.LOG_SIGNING_KEY ?? [],
      policy: values.LOG_WITNESSES ?? EMPTY_POLICY,
      ownWitnesses: values.LOG_OWN_WITNESSES,
      quorumRequired: values.LOG_QUORUM === "required",
      anchor: values.LOG_ANCHOR,
    },
  }),
  problems: (
    {
      LOG_SIGNING_KEY: keys,
      LOG_WITNESSES: policy,
      LOG_OWN_WITNESSES: own,
      LOG_QUORUM: quorum,
      LOG_ANCHOR: anchor,
    },
    { production, denoDeploy, namedHosts },
  ) => {
    const problems = [];
    if (denoDeploy && anchor !== undefined && keyInBucket(anchor) === undefined) {
      problems.push(
        "LOG_ANCHOR: should be an object such as s3:log-anchor on Deno Deploy, which keeps no files",
      );
    }
    if (production && namedHosts.trust !== undefined && keys === undefined) {
      problems.push(`LOG_SIGNING_KEY: should be ${KEYS}, because the log is signed with it`);
    }
    const names = policy?.witnesses.map(({ name }) => name) ?? [];
    const unknown = own.filter((name) => policy !== undefined && !names.includes(name));
    if (unknown.length > 0) {
      problems.push("LOG_OWN_WITNESSES: should be names of witnesses in LOG_WITNESSES");
    }
    const unreachable = policy === undefined ? [] : unreachableOf(policy);
    if (unreachable.length > 0) {
      problems.push(
        `LOG_WITNESSES: should have a quorum that the log can reach; ${unreachable.join(", and ")}`,
      );
    }
    if (quorum === "required" && (policy?.quorum ?? null) === null) {
      problems.push("LOG_QUORUM: requires a quorum in LOG_WITNESSES");
    }
    return problems;
  },
});

/** Returns the key of an anchor that is in the bucket of documents, such as `s3:log-anchor`. */
export const keyInBucket = (anchor: string): string | undefined => /^s3:(.+)$/.exec(anchor)?.[1];

/** Returns why the witnesses that can countersign the log cannot satisfy a quorum; empty if they can. */
function unreachableOf(policy: Policy): string[] {
  const canSign = policy.witnesses.filter(({ url, key }) => url !== null && isChecked(key));
  if (satisfiesQuorum(policy, new Set(canSign.map(({ name }) => name)))) return [];
  const without = policy.witnesses.filter(({ url }) => url === null).map(({ name }) => name);
  const unchecked = uncheckedWitnesses(policy);
  return [
    ...without.length === 0 ? [] : [`${without.join(", ")} has no address`],
    ...unchecked.length === 0
      ? []
      : [`the algorithm of ${unchecked.join(", ")} cannot be checked here`],
  ];
}
