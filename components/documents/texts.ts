/** The words and colours for a document's kind, state and pages, on all pages about documents. */
import {
  type DocumentRow,
  type DocumentStatus,
  type DocumentVersion,
  liveStatusOf,
  type Parties,
  statusOf,
  withdrawerOf,
} from "../../lib/features/documents/mod.ts";
import { formatDateTime, formatDay, plural } from "../../lib/base/time.ts";

/** The words for each state, so that it does not depend on the colour. */
export const STATUS_WORDS: Record<DocumentStatus, string> = {
  current: "Current version",
  replaced: "Replaced by a newer version",
  withdrawn: "Withdrawn",
  expired: "Expired",
  test: "TEST",
};

/** The colours of each state, as classes of `.verdict` and `.pill`. */
export const STATUS_COLOURS: Record<DocumentStatus, { verdict: string; pill: string }> = {
  current: { verdict: "good", pill: "good" },
  replaced: { verdict: "fair", pill: "warn" },
  withdrawn: { verdict: "bad", pill: "bad" },
  expired: { verdict: "open", pill: "" },
  test: { verdict: "fair", pill: "warn" },
};

/** Kinds that the form suggests. Others can be typed. */
export const SUGGESTED_KINDS = ["Certificate", "Contract", "Diploma", "Report", "Statement"];

/**
 * Returns the kind of a document as pages show it, so that `certificate`, `CERTIFICATE` and
 * `Certificate` look the same. Capitals within a word and short abbreviations stay.
 */
export function kindLabel(kind: string): string {
  const text = kind.trim().replace(/\s+/g, " ");
  const shouted = text.length > 5 && text === text.toUpperCase();
  const word = shouted ? text.toLowerCase() : text;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns a version's state with the sentence that explains it. */
export function describeStatus(
  document: DocumentRow,
  version: DocumentVersion,
  parties: Parties,
  now: number,
): { status: DocumentStatus; text: string } {
  const { registrar } = parties;
  const status = statusOf(document, version, now);
  switch (status) {
    case "current":
      return {
        status,
        text: document.expires_at === null
          ? `${registrar} has registered this document. This is its newest version, and it has not been withdrawn.`
          : `${registrar} has registered this document. This is its newest version, and it has not been withdrawn. ` +
            `It is valid until ${formatDateTime(document.expires_at)}.`,
      };
    case "replaced": {
      const next = document.versions.find(({ number }) => number === version.number + 1);
      return {
        status,
        text: `Version ${version.number + 1} replaced this version` +
          `${next === undefined ? "" : ` on ${formatDateTime(next.at)}`}. ` +
          "Do not rely on a copy of this version.",
      };
    }
    case "withdrawn": {
      const by = withdrawerOf(version.withdrawn_by, parties);
      return {
        status,
        text: (by === undefined ? "This document was withdrawn" : `${by} withdrew this document`) +
          `${
            version.withdrawn_at === undefined ? "" : ` on ${formatDateTime(version.withdrawn_at)}`
          }. Do not rely on a copy of it.`,
      };
    }
    case "test":
      return { status, text: testText(document, version, now) };
    case "expired":
      return {
        status,
        text: `This document was valid until ${formatDateTime(document.expires_at!)}. ` +
          "Do not rely on a copy of it.",
      };
  }
}

function testText(document: DocumentRow, version: DocumentVersion, now: number): string {
  const { name } = document.issuer;
  const state = STATUS_WORDS[liveStatusOf(document, version, now)];
  return `TEST: ${name} tries the service with this document. It is not registered and proves nothing. ` +
    `If it were, its state would be “${state}”.`;
}

/**
 * Returns what a reader of the version in force learns first.
 *
 * @example
 * genuineText(document, version, "Harbour College");
 * // "Genuine: issued by Harbour College on 20 Nov 2026, unchanged, in force"
 */
export const genuineText = (
  document: Pick<DocumentRow, "expires_at">,
  { at }: Pick<DocumentVersion, "at">,
  issuer: string,
): string =>
  `Genuine: issued by ${issuer} on ${formatDay(at)}, unchanged, in force` +
  (document.expires_at === null ? "" : ` until ${formatDay(document.expires_at)}`);

/** Returns the pages of a version; null unless it is a PDF. */
export const pagesOf = ({ pages, issued }: DocumentVersion): number | null =>
  pages ?? issued?.pages ?? null;

/** Returns how many pages a copy has. An issued copy ends with a page about its registration. */
export function pagesText(version: DocumentVersion): string {
  const pages = plural(pagesOf(version) ?? 0, "page");
  return version.issued === null ? pages : `${pages} and a final page about the registration`;
}
