/** The icon of a verdict: a check mark, a cross or dots inside a milled edge. */
export function Seal({ kind }: { kind: "good" | "fair" | "bad" | "open" }) {
  return (
    <svg class={`seal ${kind}`} viewBox="0 0 80 80" width="80" height="80" aria-hidden="true">
      <circle class="seal-edge" cx="40" cy="40" r="37" pathLength={180} />
      <circle class="seal-ring" cx="40" cy="40" r="31" />
      {(kind === "good" || kind === "fair") && (
        <path class="seal-sign" d="M27 41.500 36.500 51 54 31" />
      )}
      {kind === "bad" && <path class="seal-sign" d="M30 30 50 50M50 30 30 50" />}
      {kind === "open" && <path class="seal-sign" d="M30 40h.1M40 40h.1M50 40h.1" />}
    </svg>
  );
}
