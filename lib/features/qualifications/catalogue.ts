/** The catalogue of vocational qualifications: reading, searching, and what replaced what. */
import { unmarked } from "../../base/pasted.ts";
import data from "./catalogue.json" with { type: "json" };
import { type FilterOptions, filterOptions } from "./filter_options.ts";
import { createSearchIndex } from "./search_index.ts";
import {
  type AqfLevel,
  type Qualification,
  type QualificationRecord,
  toQualification,
} from "./qualification.ts";

/** A missing filter matches everything. */
interface CatalogueQuery {
  /** The start of a code, words of a title, or a training package. Empty matches everything. */
  query?: string;
  aqf_level?: AqfLevel;
  /** Three-letter code, in any case. */
  training_package?: string;
  status?: Qualification["status"];
  /** Maximum number of qualifications to return. Default: all. */
  limit?: number;
}

/** The qualifications of the public register, in memory. */
export interface Catalogue {
  readonly size: number;
  /** Every qualification, sorted by code. */
  readonly all: readonly Qualification[];
  /** The levels and training packages to filter by. */
  readonly options: FilterOptions;
  /** Returns the qualification with this code, in any case and with surrounding spaces. */
  get(code: string): Qualification | undefined;
  /**
   * Returns matching qualifications, best match first: those whose code starts with the query,
   * sorted by code, then the others by relevance. `total` is the number of all matches.
   */
  search(query: CatalogueQuery): { total: number; qualifications: Qualification[] };
}

/** Creates the catalogue and its search index. */
export function createCatalogue(): Catalogue {
  const records: QualificationRecord[] = data.qualifications;
  const all = records.map((record) => toQualification(record, data.training_packages));
  const byCode = new Map(all.map((qualification) => [qualification.code, qualification]));
  const find = createSearchIndex(all);

  return {
    size: all.length,
    all,
    options: filterOptions(all),
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

const normaliseCode = (code: string) => unmarked(code).toUpperCase();

/** The qualifications before and after one. */
export interface Succession {
  /** The predecessors of its predecessors and so on, the oldest first. */
  earlier: Qualification[];
  /** The qualifications that it replaced directly, sorted by code. */
  predecessors: Qualification[];
  /** Its successor, then the successor's successor, and so on to the current qualification. */
  successors: Qualification[];
}

/** Returns all predecessors and successors of a qualification. */
export function successionOf(catalogue: Catalogue, qualification: Qualification): Succession {
  const successorOf = ({ superseded_by }: Qualification) =>
    superseded_by === undefined ? undefined : catalogue.get(superseded_by);
  const successors: Qualification[] = [];
  let next = successorOf(qualification);
  // Cyclic data must not cause an endless loop.
  while (next !== undefined && next !== qualification && !successors.includes(next)) {
    successors.push(next);
    next = successorOf(next);
  }
  const replacedBy = (codes: string[]) =>
    catalogue.all.filter(({ superseded_by = "" }) => codes.includes(superseded_by));
  const predecessors = replacedBy([qualification.code]);
  const known = new Set([qualification, ...successors, ...predecessors]);
  const earlier: Qualification[] = [];
  for (let latest = predecessors; latest.length > 0;) {
    latest = replacedBy(latest.map(({ code }) => code)).filter((each) => !known.has(each));
    latest.forEach((each) => known.add(each));
    earlier.unshift(...latest);
  }
  return { earlier, predecessors, successors };
}
