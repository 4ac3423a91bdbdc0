/** Derives a qualification's level, training package and status from its record in the data file. */
import type { AqfLevel, Qualification } from "./schemas.ts";

export type { AqfLevel, Qualification };

/** A qualification in the data file. All other values are derived from it. */
export interface QualificationRecord {
  code: string;
  title: string;
  superseded_by?: string;
}

/** The AQF qualification types in training packages, with their levels (AQF, 2nd edition). */
const LEVELS = new Map<string, AqfLevel>([
  ["Certificate I", 1],
  ["Certificate II", 2],
  ["Certificate III", 3],
  ["Certificate IV", 4],
  ["Diploma", 5],
  ["Advanced Diploma", 6],
  ["Graduate Certificate", 8],
  ["Graduate Diploma", 8],
]);

/**
 * Derives an immutable qualification from its record: the level from the start of the title, the training
 * package from the code's three letters, the status from whether there is a successor.
 *
 * @param trainingPackages titles by three-letter code
 * @throws {Error} `qualification_invalid` if the title names no level or the package is unknown
 */
export function toQualification(
  { code, title, superseded_by }: QualificationRecord,
  trainingPackages: Readonly<Record<string, string>>,
): Qualification {
  const level_name = title.split(/ (?:in|of) /, 1)[0];
  const aqf_level = LEVELS.get(level_name);
  const packageCode = code.slice(0, 3);
  const packageTitle = trainingPackages[packageCode];
  if (aqf_level === undefined || packageTitle === undefined) {
    throw new Error(`qualification_invalid: ${code} ${title}`);
  }
  return Object.freeze({
    code,
    title,
    aqf_level,
    level_name,
    training_package: Object.freeze({ code: packageCode, title: packageTitle }),
    status: superseded_by ? "superseded" as const : "current" as const,
    ...(superseded_by && { superseded_by }),
  });
}

/** Returns a training package's title without the words that every title ends with. */
export const packageName = ({ training_package }: Qualification): string =>
  training_package.title.replace(/ Training Package$/, "");
