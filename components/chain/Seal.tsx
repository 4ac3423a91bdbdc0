const SIGNS = {
  good: "M27 41.500 36.500 51 54 31",
  fair: "M27 41.500 36.500 51 54 31",
  bad: "M30 30 50 50M50 30 30 50",
  open: "M30 40h.1M40 40h.1M50 40h.1",
  /** A clock. */
  past: "M40 28v12l8 6",
  /** A bar, as on a sign that closes a road. */
  closed: "M28 40h24",
  /** A question mark. */
  unknown: "M33.500 34a6.500 6.500 0 1 1 9.500 5.800c-2 1.200-3 2.400-3 4.700M40 51.500v.1",
  /** An exclamation mark. */
  failed: "M40 27v16M40 51.500v.1",
} as const;

export type SealKind = keyof typeof SIGNS;

/** The icon of a verdict: a sign inside a milled edge. */
export function Seal({ kind }: { kind: SealKind }) {
  return (
    <svg class={`seal ${kind}`} viewBox="0 0 80 80" width="80" height="80" aria-hidden="true">
      <circle class="seal-edge" cx="40" cy="40" r="37" pathLength={180} />
      <circle class="seal-ring" cx="40" cy="40" r="31" />
      <path class="seal-sign" d={SIGNS[kind]} />
    </svg>
  );
}
