/** The texts of a certificate: their limits, their checks, and the form in which they are drawn. */
import { isDay } from "../../../base/time.ts";
import { inOneLine } from "../../../../packages/pdf/light.ts";

/** The texts of a certificate. */
export interface CertificateFields {
  /** The person who receives it. */
  name: string;
  /** The same in Latin letters, which is printed below the name. */
  name_latin?: string;
  /** The language of the name, as a tag such as `zh-Hant`. */
  language?: string;
  title: string;
  /** YYYY-MM-DD */
  date: string;
  subtitle?: string;
  /** A text below the name. Empty lines do not separate paragraphs. */
  body?: string;
  grade?: string;
  /** The person who signs it, and their office. */
  signatory?: string;
  signatory_title?: string;
  /** The size of the paper; A4 by default. */
  paper?: Paper;
}

/** The sizes of paper. */
export const PAPERS = ["A4", "Letter"] as const;

export type Paper = typeof PAPERS[number];

/** The organisation that makes a certificate. */
export interface CertificateIssuer {
  name: string;
  /** Its domain, once it has shown that the domain is its own. */
  domain?: string;
}

/** The most characters of each text. */
export const CERTIFICATE_LIMITS = {
  name: 100,
  name_latin: 100,
  title: 200,
  subtitle: 200,
  body: 600,
  grade: 60,
  signatory: 80,
  signatory_title: 100,
} as const;

type TextField = keyof typeof CERTIFICATE_LIMITS;

const FIELDS = Object.keys(CERTIFICATE_LIMITS) as TextField[];

/** The texts of a certificate in one line each, as they are drawn. Empty ones are left out. */
export type CertificateTexts =
  & {
    name: string;
    title: string;
    date: string;
    paper: Paper;
    issuer: string;
    domain?: string;
    language?: string;
  }
  & { [Field in Exclude<TextField, "name" | "title">]?: string };

/**
 * Returns what is wrong with the fields of a certificate, by field; nothing if it can be made.
 *
 * @param missing returns the characters that the fonts cannot show
 */
export function issuesOf(
  fields: CertificateFields,
  issuer: CertificateIssuer,
  missing: (text: string) => readonly string[],
): Record<string, string> {
  const issues: Record<string, string> = {};
  for (const field of FIELDS) {
    const given = fields[field] ?? "";
    const limit = CERTIFICATE_LIMITS[field];
    // The length is checked first, because a text of thousands of accents would take long.
    const text = given.length > 5 * limit ? null : inOneLine(given);
    if (text === null || lengthOf(text) > limit) {
      issues[field] = `At most ${limit} characters fit on the certificate.`;
      continue;
    }
    const unshown = missing(text);
    if (unshown.length > 0) issues[field] = cannotShow(unshown);
    else if (text === "" && (field === "name" || field === "title")) {
      issues[field] = "A certificate needs this text.";
    }
  }
  if (!isDay(fields.date)) issues.date = "Write the day as YYYY-MM-DD.";
  const unshown = missing(inOneLine(`${issuer.name} ${issuer.domain ?? ""}`));
  if (unshown.length > 0) issues.issuer = cannotShow(unshown);
  return issues;
}

/** Accents have no length. */
const lengthOf = (text: string): number => Array.from(text.replace(/\p{M}/gu, "")).length;

const WHAT_TO_DO =
  "Leave it out, write the text in other letters, or issue a PDF that you have made yourself.";

/** The most characters that a sentence names. */
const MAX_NAMED = 5;

/** Returns sentences such as `The fonts cannot show “𓂀” (U+13080). Leave it out, …` */
function cannotShow(missing: readonly string[]): string {
  const characters = [...new Set(missing)];
  const named = characters.slice(0, MAX_NAMED).map((character) =>
    `“${character}” (${points(character)})`
  );
  const more = characters.length - named.length;
  const all = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `The fonts cannot show ${all}. ${WHAT_TO_DO}`;
}

const points = (character: string): string =>
  Array.from(
    character,
    (letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`,
  ).join(" ");

/** Returns the texts as they are drawn. */
export function textsOf(fields: CertificateFields, issuer: CertificateIssuer): CertificateTexts {
  const texts: CertificateTexts = {
    name: inOneLine(fields.name),
    title: inOneLine(fields.title),
    date: fields.date,
    paper: fields.paper ?? "A4",
    issuer: inOneLine(issuer.name),
  };
  if (issuer.domain !== undefined) texts.domain = issuer.domain;
  if (fields.language !== undefined) texts.language = fields.language;
  for (const field of FIELDS) {
    const text = inOneLine(fields[field] ?? "");
    if (text !== "") texts[field] = text;
  }
  if (texts.name_latin === texts.name) delete texts.name_latin;
  return texts;
}
