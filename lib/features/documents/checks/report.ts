/**
 * The report of a check, as the API returns it and the page shows it.
 *
 * @module
 */
import { z } from "zod";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { type Parties, withdrawerOf } from "../issued_by.ts";
import { documentPath, parseDocumentId } from "../ids.ts";
import { type DocumentStatus, isReasonPublic, statusOf } from "../access/permission.ts";
import { MAX_REGISTRANTS } from "../registrants.ts";
import { versionLogSchema } from "../statements.ts";
import { type DocumentMatch, type DocumentVersion, latestVersion } from "../store.ts";

/** The most matches of a report: the documents of {@link MAX_REGISTRANTS} issuers, and one of our own pages. */
const MAX_MATCHES = MAX_REGISTRANTS + 1;

const NOT_A_NUMBER = "Send the number of a document.";
const NOT_A_HASH = "Send a SHA-256 hash: 64 hexadecimal digits.";

/** The query of `GET /check`. */
export const checkQuerySchema = z.object({
  sha256: z.string(NOT_A_HASH).regex(/^[\dA-Fa-f]{64}$/, NOT_A_HASH).toLowerCase()
    .describe("The SHA-256 hash of the file."),
});

/** The body of `POST /check`. */
export const checkBodySchema = checkQuerySchema.extend({
  /** The number that a page of the file prints. */
  document: z.string().max(64).transform((text, { issues }) => {
    const id = parseDocumentId(text);
    if (id === null) issues.push({ code: "custom", message: NOT_A_NUMBER, input: text });
    return id ?? z.NEVER;
  }).optional(),
});

const STATES = [
  "withdrawn",
  "replaced",
  "expired",
  "current",
  "test",
] as const satisfies DocumentStatus[];

const stateSchema = z.enum(STATES).describe(
  "`test`: a test document with which its issuer tries out the service. It is not registered and proves nothing.",
);
const timeSchema = z.iso.datetime();

const matchSchema = z.object({
  state: stateSchema,
  since: timeSchema.describe("When this state began."),
  form: z.enum(["original", "issued", "text"]).describe(
    "Whether the file is the one that was registered, the copy with QR codes made from it, or the " +
      "published text of one of our own pages.",
  ),
  title: z.string().optional().describe("Present only if the document is public."),
  issuer: z.string().describe("The organisation that made the document."),
  issuer_domain: z.string().optional().describe(
    "The web domain that the issuer has proved to be its own. Absent if it has proved none.",
  ),
  issuer_domain_verified_at: timeSchema.nullable().optional().describe(
    "When it was verified; null if it is no longer verified.",
  ),
  issuer_ended_at: timeSchema.optional().describe(
    "When the issuer ended, if it no longer issues documents with the registrar.",
  ),
  registrar: z.string().optional().describe(
    "The organisation that registered it. Absent only for our own pages.",
  ),
  version: z.int().min(1),
  registered_at: timeSchema.describe("When this version was registered."),
  first_registered_at: timeSchema.describe(
    "When the issuer registered the file first, with this document or an earlier one. The matches are in " +
      "this order.",
  ),
  pages: z.int().optional().describe("The pages of the original, if it is a PDF."),
  expires_at: timeSchema.optional(),
  withdrawn_by: z.string().optional().describe(
    "The organisation that withdrew it: the issuer or the registrar. Absent if that is not known.",
  ),
  reason: z.string().optional().describe(
    "Why it was withdrawn. Present only if the document is public, or its issuer withdrew it.",
  ),
  newest: z.object({
    version: z.int().min(1),
    registered_at: timeSchema,
    state: stateSchema,
  }).optional().describe("The newest version, if this is not it."),
  url: z.url().describe("The document's own page."),
  log: versionLogSchema.optional().describe(
    "Absent for our own pages, and for test documents, which are not in the log.",
  ),
});

/**
 * The report on one version of a document. Times are ISO 8601 in UTC. The title and the reason are
 * also present if the reader may see the document.
 */
export type MatchReport = z.infer<typeof matchSchema>;

export const checkReportSchema = z.object({
  state: z.enum([...STATES, "not_registered"]).describe(
    "The state of the first match, whose issuer registered the file first. What other issuers have " +
      "registered does not change it.",
  ),
  issuer: z.string().optional().describe(
    "The issuer of the first match. Absent for `not_registered`. Anybody who has a file can register it, so " +
      "compare the `issuer_domain` with that of the organisation which the file names.",
  ),
  sha256: z.string(),
  matches: z.array(matchSchema).max(MAX_MATCHES).describe(
    "One for each organisation that has registered a file with this hash, in the order of their first " +
      `registrations, at most ${MAX_MATCHES}. Of one organisation, its newest registration counts. Tests are ` +
      "reported only if nothing else is.",
  ),
  more_issuers: z.int().min(0).describe(
    "How many more organisations have registered it later, besides those of the matches.",
  ),
});

export type CheckReport = z.infer<typeof checkReportSchema>;

/** @param more how many organisations have registered the file besides those of the matches */
export const createReport = (
  sha256: string,
  matches: readonly MatchReport[],
  more: number,
): CheckReport => ({
  state: matches[0]?.state ?? "not_registered",
  ...matches.length > 0 && { issuer: matches[0].issuer },
  sha256,
  matches: [...matches],
  more_issuers: more,
});

interface ReportOptions {
  now: number;
  parties: Parties;
  /** Returns the full URL of a path of the trust surface. */
  trustUrl: (path: string) => string;
  /** True if the reader may see the document. Only its state is public unless the document is. */
  full: boolean;
  /** Opens the entries of the version in the public log; undefined until a job has added them. */
  log?: MatchReport["log"];
  /** When the issuer registered the file first. */
  first: string;
}

export function reportMatch(
  { document, version, form }: DocumentMatch,
  { now, parties, trustUrl, full, log, first }: ReportOptions,
): MatchReport {
  const { id, title, expires_at } = document;
  const { pages } = version;
  const { issuer, domain, endedAt, registrar } = parties;
  const newest = latestVersion(document);
  const state = statusOf(document, version, now);
  const withdrawer = state === "withdrawn"
    ? withdrawerOf(version.withdrawn_by, parties)
    : undefined;
  return {
    state,
    since: {
      current: version.at,
      expired: expires_at ?? version.at,
      replaced: successorOf(document.versions, version)?.at ?? version.at,
      withdrawn: version.withdrawn_at ?? version.at,
      test: version.at,
    }[state],
    form,
    ...full || document.public ? { title } : {},
    issuer,
    ...domain === undefined ? {} : {
      issuer_domain: domain.name,
      issuer_domain_verified_at: domain.verifiedOn,
    },
    ...endedAt === undefined ? {} : { issuer_ended_at: endedAt },
    registrar,
    version: version.number,
    registered_at: version.at,
    first_registered_at: first,
    ...pages === null ? {} : { pages },
    ...expires_at === null ? {} : { expires_at },
    ...withdrawer === undefined ? {} : { withdrawn_by: withdrawer },
    ...(full || isReasonPublic(document)) && state === "withdrawn" && version.withdrawn_reason
      ? { reason: version.withdrawn_reason }
      : {},
    ...newest === version ? {} : {
      newest: {
        version: newest.number,
        registered_at: newest.at,
        state: statusOf(document, newest, now),
      },
    },
    url: trustUrl(documentPath(id)),
    ...log === undefined ? {} : { log },
  };
}

/** A version of one of our own pages, such as the terms. Everyone may read it. */
export interface PublishedText {
  /** The organisations that published it. */
  organisations: readonly OrganisationKey[];
  title: string;
  issuer: string;
  version: number;
  at: string;
  /** When the next version was published, and the newest version, if this is an earlier one. */
  replaced: { at: string; newest: { number: number; at: string } } | null;
  url: string;
}

/** Describes a match with one of our own pages. */
export function reportText(
  { title, issuer, version, at, replaced, url }: PublishedText,
): MatchReport {
  const report = {
    form: "text",
    title,
    issuer,
    version,
    registered_at: at,
    first_registered_at: at,
    url,
  } as const;
  if (replaced === null) return { ...report, state: "current", since: at };
  const { number, at: registered_at } = replaced.newest;
  const newest = { version: number, registered_at, state: "current" } as const;
  return { ...report, state: "replaced", since: replaced.at, newest };
}

const successorOf = (versions: readonly DocumentVersion[], version: DocumentVersion) =>
  versions[versions.indexOf(version) + 1];
