/** The list of features, and the tables, settings and services that follow from it. */
import { alertsFeature } from "../features/alerts/feature.ts";
import { apiFeature } from "../features/api/feature.ts";
import { auditFeature } from "../features/audit/feature.ts";
import { authFeature } from "../features/auth/feature.ts";
import { bankFeature } from "../features/bank/feature.ts";
import { chainFeature } from "../features/chain/feature.ts";
import { codesFeature } from "../features/codes/feature.ts";
import { contactFeature } from "../features/contact/feature.ts";
import { documentsFeature } from "../features/documents/feature.ts";
import { inboxFeature } from "../features/inbox/feature.ts";
import { issuersFeature } from "../features/issuers/feature.ts";
import { issuingFeature } from "../features/issuing/feature.ts";
import { infraFeature } from "../features/infra/feature.ts";
import { mailReportsFeature } from "../features/mail_reports/feature.ts";
import { logFeature } from "../features/log/feature.ts";
import { mcpFeature } from "../features/mcp/feature.ts";
import { oauthFeature } from "../features/oauth/feature.ts";
import { operatorsFeature } from "../features/operators/feature.ts";
import { passkeysFeature } from "../features/passkeys/feature.ts";
import { paymentsFeature } from "../features/payments/feature.ts";
import { pushFeature } from "../features/push/feature.ts";
import { qualificationsFeature } from "../features/qualifications/feature.ts";
import { recordsFeature } from "../features/records/feature.ts";
import { relayFeature } from "../features/relay/feature.ts";
import { standardFeature } from "../features/standard/feature.ts";
import { webhooksFeature } from "../features/webhooks/feature.ts";
import { witnessFeature } from "../features/witness/feature.ts";
import type { TableDescription } from "../platform/kv/mod.ts";
import { PLATFORM_TABLES } from "../platform/tables.ts";

/**
 * All features with a description, from the lowest to the highest. A feature may use only those before it.
 */
export const FEATURES = [
  auditFeature,
  operatorsFeature,
  alertsFeature,
  mailReportsFeature,
  authFeature,
  passkeysFeature,
  bankFeature,
  chainFeature,
  logFeature,
  witnessFeature,
  contactFeature,
  recordsFeature,
  inboxFeature,
  paymentsFeature,
  codesFeature,
  issuersFeature,
  documentsFeature,
  webhooksFeature,
  issuingFeature,
  standardFeature,
  qualificationsFeature,
  mcpFeature,
  oauthFeature,
  pushFeature,
  relayFeature,
  infraFeature,
  apiFeature,
] as const;

/** Returns the tables of the platform and of a list of features. */
export const tablesOf = (
  features: readonly { tables?: readonly TableDescription[] }[],
): TableDescription[] => [...PLATFORM_TABLES, ...features.flatMap(({ tables = [] }) => tables)];

/** All tables of the store. A key with any other first part is a mistake. */
export const TABLES: readonly TableDescription[] = tablesOf(FEATURES);

/** The part of the configuration that a list of features has. */
export type ConfigOf<List extends readonly unknown[]> = List extends
  readonly [infer First, ...infer Rest]
  ? First extends { settings?: { config(...given: never): infer Part } } ? Part & ConfigOf<Rest>
  : never
  : unknown;

/** The replacements for tests that a list of features accepts. */
export type OverridesOf<List extends readonly unknown[]> = List extends
  readonly [infer First, ...infer Rest]
  ? First extends { create(below: { overrides: infer Own }): unknown } ? Own & OverridesOf<Rest>
  : OverridesOf<Rest>
  : unknown;

/**
 * The services of a list of features, added to those before them. A feature that uses the services of
 * a later one turns them into `never`, so that nothing compiles.
 */
export type ServicesOf<List extends readonly unknown[], Below> = List extends
  readonly [infer First, ...infer Rest]
  ? First extends { create(below: infer Needed): infer Own }
    ? Below extends Needed ? ServicesOf<Rest, Below & Own> : never
  : never
  : Below;
