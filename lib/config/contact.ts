import { z } from "zod";
import { type PrivateJwk, privateJwkSchema } from "../chain/mod.ts";
import { emails, headerSecret, json, origins, text, webAddress, wholeNumber } from "./fields.ts";

/** The contact form and the chains that it begins. */
export interface ContactConfig {
  /** Registrations an hour from one client address; 0: no limit. */
  clientLimit: number;
  /** Browser origins beside our own surfaces that may embed the form. */
  origins: string[];
  /** Who is told of a registration. */
  notify: string[];
  challenge?: ChallengeConfig;
}

/** The bot challenge: what our pages load, and what asks whether it was passed. */
export interface ChallengeConfig {
  siteKey: string;
  secret: string;
  verifyUrl: string;
  scriptUrl: string;
}

export interface ChainConfig {
  /** Undefined in development: one is made and kept. */
  signingKey?: PrivateJwk;
}

const JWK = "an Ed25519 private key as a JWK with kty, crv, x and d";

export const contactVariables = {
  CONTACT_CLIENT_LIMIT: wholeNumber("registrations an hour up to 5000, 0 for no limit", 5000)
    .default(5),
  CONTACT_ORIGINS: origins.default([]),
  CONTACT_NOTIFY: emails.default([]),
  CHALLENGE_SITE_KEY: text.optional(),
  CHALLENGE_SECRET: headerSecret("a secret without blanks").optional(),
  CHALLENGE_VERIFY_URL: webAddress.optional(),
  CHALLENGE_SCRIPT_URL: webAddress.optional(),
  CHAIN_SIGNING_KEY: json(JWK).pipe(
    z.unknown().refine((jwk) => privateJwkSchema.safeParse(jwk).success, JWK)
      .transform((jwk) => privateJwkSchema.parse(jwk)),
  ).optional(),
};

type Values = z.output<z.ZodObject<typeof contactVariables>>;

export function contactConfig(values: Values): ContactConfig {
  const {
    CHALLENGE_SITE_KEY: siteKey,
    CHALLENGE_SECRET: secret,
    CHALLENGE_VERIFY_URL: verifyUrl,
    CHALLENGE_SCRIPT_URL: scriptUrl,
  } = values;
  return {
    clientLimit: values.CONTACT_CLIENT_LIMIT,
    origins: values.CONTACT_ORIGINS,
    notify: values.CONTACT_NOTIFY,
    challenge: siteKey && secret && verifyUrl && scriptUrl
      ? { siteKey, secret, verifyUrl, scriptUrl }
      : undefined,
  };
}

/** @param servesTrust whether chains are confirmed and their keys published here */
export function contactProblems(
  values: Values,
  production: boolean,
  servesTrust: boolean,
): string[] {
  const lines: string[] = [];
  const challenge = [
    "CHALLENGE_SITE_KEY",
    "CHALLENGE_SECRET",
    "CHALLENGE_VERIFY_URL",
    "CHALLENGE_SCRIPT_URL",
  ] as const;
  const missing = challenge.filter((name) => !values[name]);
  if (missing.length < challenge.length) {
    lines.push(...missing.map((name) => `${name}: should be set, for the challenge is`));
  }
  for (const name of ["CHALLENGE_VERIFY_URL", "CHALLENGE_SCRIPT_URL"] as const) {
    if (production && values[name]?.startsWith("http://")) {
      lines.push(`${name}: should be an https address in production`);
    }
  }
  if (production && servesTrust && values.CHAIN_SIGNING_KEY === undefined) {
    lines.push(`CHAIN_SIGNING_KEY: should be ${JWK}, for chains are signed with it`);
  }
  return lines;
}
