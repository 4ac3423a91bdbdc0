import { consentPath, purposeOf } from "../../lib/features/oauth/mod.ts";
import type { RequestView } from "./RequestFacts.tsx";

/**
 * The choices of the consent page besides the open record: the same request without a record, the
 * choice of another record, or the sign-in page.
 */
const CONSENT_CHOICES = ["none", "switch", "sign-in", "record"] as const;
export type ConsentChoice = typeof CONSENT_CHOICES[number];

export const choicePath = (token: string, choice: ConsentChoice): string =>
  choice === "record" ? consentPath(token) : `${consentPath(token)}&as=${choice}`;

/** Returns whether a request can be approved without a record, which has no notifications. */
export const worksWithoutRecord = ({ request }: RequestView): boolean =>
  purposeOf(request) === "mcp";
