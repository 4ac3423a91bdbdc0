/** The shape of a plot to come, with a shimmer and no spinner (spec 3). */
export function Skeleton({ round, height }: { round: boolean; height: number }) {
  return (
    <div class="chart-skeleton">
      <span class="visually-hidden">Loading chart data</span>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio={round ? undefined : "none"}
        height={height}
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        {round ? <circle cx="50" cy="50" r="36" stroke-width="18" /> : <Waves />}
      </svg>
    </div>
  );
}

function Waves() {
  return (
    <>
      <path d="M0 4H100M0 27H100M0 50H100M0 73H100M0 96H100" vector-effect="non-scaling-stroke" />
      <path
        d="M0 96V70C20 70 20 44 40 52S70 20 100 34V96Z"
        fill="currentColor"
        stroke="none"
      />
    </>
  );
}
