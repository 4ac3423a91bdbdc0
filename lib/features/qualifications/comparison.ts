/** The comparison of two qualifications: its URL, and how the two are related. */
import { type Catalogue, successionOf } from "./catalogue.ts";
import type { Qualification } from "./qualification.ts";

/** How two qualifications are related, in the catalogue's lines of succession. */
type Relation =
  | { kind: "same" }
  /** `newer` replaced `older`, directly or through others. */
  | {
    kind: "succession";
    older: Qualification;
    newer: Qualification;
    between: Qualification[];
  }
  /** Both were replaced, in the end, by the same qualification. */
  | { kind: "merged"; into: Qualification }
  | { kind: "none" };

/**
 * Returns how two qualifications are related.
 *
 * @example
 * ```ts
 * const [a, b] = [catalogue.get("TAE40110")!, catalogue.get("TAE40122")!];
 * relationOf(catalogue, a, b); // { kind: "succession", older: a, newer: b, between: [TAE40116] }
 * ```
 */
export function relationOf(catalogue: Catalogue, a: Qualification, b: Qualification): Relation {
  if (a.code === b.code) return { kind: "same" };
  const [afterA, afterB] = [a, b].map((each) => successionOf(catalogue, each).successors);
  for (const [older, newer, after] of [[a, b, afterA], [b, a, afterB]] as const) {
    const at = after.findIndex(({ code }) => code === newer.code);
    if (at >= 0) return { kind: "succession", older, newer, between: after.slice(0, at) };
  }
  const into = afterA.find(({ code }) => afterB.some((each) => each.code === code));
  return into === undefined ? { kind: "none" } : { kind: "merged", into };
}

const MAX_CODE_LENGTH = 20;

export function compareUrl(a: string, b?: string): string {
  const params = new URLSearchParams({ a: a.slice(0, MAX_CODE_LENGTH) });
  if (b !== undefined) params.set("b", b.slice(0, MAX_CODE_LENGTH));
  return `/compare?${params}`;
}

/** One side of a comparison: what the URL names, and the qualification if there is one. */
export interface Side {
  code: string;
  qualification: Qualification | undefined;
}

/** Reads the two codes in a URL's `a` and `b`, and never throws. */
export function readComparison(catalogue: Catalogue, { searchParams }: URL): { a: Side; b: Side } {
  const side = (name: string): Side => {
    const code = (searchParams.get(name) ?? "").slice(0, MAX_CODE_LENGTH).trim();
    return { code, qualification: catalogue.get(code) };
  };
  return { a: side("a"), b: side("b") };
}

/** Returns whether a URL is the one of a comparison of two known qualifications. */
export function isComparisonUrl(catalogue: Catalogue, url: URL): boolean {
  const [a, b] = Object.values(readComparison(catalogue, url)).map((side) => side.qualification);
  return a !== undefined && b !== undefined &&
    url.search === new URL(compareUrl(a.code, b.code), url).search;
}
