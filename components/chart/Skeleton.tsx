/** The shape of a plot to come, with a shimmer and no spinner (spec 3). */
export function Skeleton({ round, height }: { round: boolean; height: number }) {
  return (
    <div class="chart-skeleton">
      <span class="visually-hidden">Loading chart data</span>
      {round ? <Ring height={height} /> : <Waves height={height} />}
    </div>
  );
}

function Waves({ height }: { height: number }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" height={height} aria-hidden="true">
      {[4, 27, 50, 73, 96].map((y) => (
        <path
          key={y}
          d={`M0 ${y}H100`}
          fill="none"
          stroke="currentColor"
          vector-effect="non-scaling-stroke"
        />
      ))}
      <path
        d="M0 96V70C12 70 14 44 26 44S40 62 52 58S66 22 78 24S92 40 100 34V96Z"
        fill="currentColor"
      />
    </svg>
  );
}

function Ring({ height }: { height: number }) {
  return (
    <svg viewBox="0 0 100 100" height={height} aria-hidden="true">
      <circle cx="50" cy="50" r="36" fill="none" stroke="currentColor" stroke-width="18" />
    </svg>
  );
}
