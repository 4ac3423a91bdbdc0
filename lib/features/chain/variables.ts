import { z } from "zod";
import { json } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";
import { type PrivateJwk, privateJwkSchema } from "../../../packages/proof/mod.ts";

export interface ChainConfig {
  /** If undefined, development generates a key and stores it. */
  signingKey?: PrivateJwk;
}

const JWK = "an Ed25519 private key as a JWK with kty, crv, x and d";

/** The private key of a chain or a witness. */
export const privateKey = json(JWK).pipe(
  z.unknown().refine((jwk) => privateJwkSchema.safeParse(jwk).success, JWK)
    .transform((jwk) => privateJwkSchema.parse(jwk)),
);

export const chainSettings = defineSettings({
  variables: { CHAIN_SIGNING_KEY: privateKey.optional() },
  config: ({ CHAIN_SIGNING_KEY: signingKey }): { chain: ChainConfig } => ({
    chain: { signingKey },
  }),
  // The trust surface publishes the keys of chains.
  problems: ({ CHAIN_SIGNING_KEY: signingKey }, { production, namedHosts }) =>
    production && namedHosts.trust !== undefined && signingKey === undefined
      ? [`CHAIN_SIGNING_KEY: should be ${JWK}, because chains are signed with it`]
      : [],
});
