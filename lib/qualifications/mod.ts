/**
 * A catalogue of Australian vocational qualifications, with search.
 *
 * `catalogue.json` is a selection, not the whole national register (training.gov.au): codes and
 * titles are the register's, successions as publicly known in October 2026.
 *
 * @module
 */
import data from "./catalogue.json" with { type: "json" };
import { createSearchIndex } from "./search_index.ts";
import {
  type AqfLevel,
  type Qualification,
  type QualificationRecord,
  toQualification,
} from "./qualification.ts";

export type { AqfLevel, Qualification } from "./qualification.ts";

/** What to look for. Every filter that is absent lets everything pass. */
export interface CatalogueQuery {
  /** The beginning of a code, words of a title, or a training package. Empty: everything. */
  query?: string;
  aqf_level?: AqfLevel;
  /** Three-letter code, in any case. */
  training_package?: string;
  status?: Qualification["status"];
  /** The most qualifications to return; all of them when absent. */
  limit?: number;
}

/** An immutable set of qualifications. */
export interface Catalogue {
  readonly size: number;
  /** Every qualification, by code. */
  readonly all: readonly Qualification[];
  /** The qualification of this code, in any case, spaces around it ignored. */
  get(code: string): Qualification | undefined;
  /**
   * Qualifications that match, best first: those whose code begins with the query, by code; then
   * by relevance. Without a query, by code. `total` counts them before `limit`.
   */
  search(
    query: CatalogueQuery,
  ): { total: number; qualifications: Qualification[] };
}

/**
 * Builds the catalogue and its search index.
 *
 * @example
 * ```ts
 * const catalogue = createCatalogue();
 * catalogue.get("bsb50420")?.title; // "Diploma of Leadership and Management"
 * catalogue.search({ query: "cert 3 carpentry", status: "current" }).qualifications[0].code;
 * ```
 */
export function createCatalogue(): Catalogue {
  const records: QualificationRecord[] = data.qualifications;
  const all = records.map((record) => toQualification(record, data.training_packages));
  const byCode = new Map(
    all.map((qualification) => [qualification.code, qualification]),
  );
  const find = createSearchIndex(all);

  return {
    size: all.length,
    all,
    get: (code) => byCode.get(normaliseCode(code)),
    search({ query = "", aqf_level, training_package, status, limit }) {
      const packageCode = training_package && normaliseCode(training_package);
      const matches = find(query).filter((qualification) =>
        (aqf_level === undefined || qualification.aqf_level === aqf_level) &&
        (!packageCode || qualification.training_package.code === packageCode) &&
        (!status || qualification.status === status)
      );
      return { total: matches.length, qualifications: matches.slice(0, limit) };
    },
  };
}

const normaliseCode = (code: string) => code.trim().toUpperCase();
