/** The environment variables that describe the two organisations: names, contacts and legal texts. */
import { z } from "zod";
import { SURFACES } from "../surfaces/table.ts";
import type { OrganisationKey, SurfaceTable } from "../surfaces/table.ts";
import { email, httpUrl, oneLine, text } from "./fields.ts";
import type { SurfaceHosts } from "./surfaces.ts";

export interface OrganisationConfig {
  name: string;
  description: string;
  contactEmail: string;
  /** Every link to the code host starts with this. */
  codeHostUrl: string;
  /** The text of legal blocks besides the name, such as a registration number and an address. */
  registration?: string;
  /** The public key with which the MCP registry checks who publishes the server. */
  registryKey?: string;
}

const ORGANISATIONS: readonly OrganisationKey[] = ["foundation", "commercial"];

/** The placeholder names in development, which production rejects for either organisation. */
const PLACEHOLDER_NAMES = { foundation: "Open Records Foundation", commercial: "Attest Systems" };

const registration = oneLine.max(300, "one line of at most 300 characters");

/** 32 bytes in base64. */
const registryKey = text.regex(
  /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  "an Ed25519 public key in base64",
);

export const organisationVariables = {
  FOUNDATION_NAME: oneLine.default(PLACEHOLDER_NAMES.foundation),
  FOUNDATION_DESCRIPTION: oneLine.default(
    "Steward of the open standard for verifiable records.",
  ),
  FOUNDATION_CONTACT_EMAIL: email.default("contact@foundation.example"),
  FOUNDATION_CODE_HOST_URL: httpUrl.default("https://code.example/open-records-foundation"),
  FOUNDATION_REGISTRATION: registration.optional(),
  FOUNDATION_MCP_REGISTRY_KEY: registryKey.optional(),
  COMMERCIAL_NAME: oneLine.default(PLACEHOLDER_NAMES.commercial),
  COMMERCIAL_DESCRIPTION: oneLine.default(
    "Certification infrastructure for the open standard for verifiable records.",
  ),
  COMMERCIAL_CONTACT_EMAIL: email.default("contact@commercial.example"),
  COMMERCIAL_CODE_HOST_URL: httpUrl.default("https://code.example/attest-systems"),
  COMMERCIAL_REGISTRATION: registration.optional(),
  COMMERCIAL_MCP_REGISTRY_KEY: registryKey.optional(),
};

type Values = z.output<z.ZodObject<typeof organisationVariables>>;

export function organisationsConfig(values: Values): Record<OrganisationKey, OrganisationConfig> {
  return {
    foundation: {
      name: values.FOUNDATION_NAME,
      description: values.FOUNDATION_DESCRIPTION,
      contactEmail: values.FOUNDATION_CONTACT_EMAIL,
      codeHostUrl: values.FOUNDATION_CODE_HOST_URL,
      registration: values.FOUNDATION_REGISTRATION,
      registryKey: values.FOUNDATION_MCP_REGISTRY_KEY,
    },
    commercial: {
      name: values.COMMERCIAL_NAME,
      description: values.COMMERCIAL_DESCRIPTION,
      contactEmail: values.COMMERCIAL_CONTACT_EMAIL,
      codeHostUrl: values.COMMERCIAL_CODE_HOST_URL,
      registration: values.COMMERCIAL_REGISTRATION,
      registryKey: values.COMMERCIAL_MCP_REGISTRY_KEY,
    },
  };
}

/**
 * Returns a line for each placeholder that production would publish. Both names are required, because
 * the organisations' pages name each other. An email address and a code host are required only if the
 * organisation has a surface.
 */
export function organisationProblems(
  values: Values,
  hosts: SurfaceHosts,
  production: boolean,
  table: SurfaceTable = SURFACES,
): string[] {
  if (!production) return [];
  const organisations = organisationsConfig(values);
  return ORGANISATIONS.flatMap((key) => {
    const { name, contactEmail, codeHostUrl } = organisations[key];
    const served = Object.keys(hosts).some((surface) => table[surface]?.organisation === key);
    const prefix = key.toUpperCase();
    const lines: string[] = [];
    if (Object.values(PLACEHOLDER_NAMES).includes(name)) {
      lines.push(`${prefix}_NAME: should be the organisation's name in production`);
    }
    if (served && isReserved(contactEmail.split("@")[1])) {
      lines.push(
        `${prefix}_CONTACT_EMAIL: should be the organisation's email address in production, not one under .example`,
      );
    }
    if (served && isReserved(new URL(codeHostUrl).hostname)) {
      lines.push(
        `${prefix}_CODE_HOST_URL: should be the organisation's code host in production, not one under .example`,
      );
    }
    return lines;
  });
}

/** Returns whether a domain is reserved for examples (RFC 2606). */
const isReserved = (domain: string) => /(^|\.)example\.?$/i.test(domain);
