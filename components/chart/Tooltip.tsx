/** One series in a tooltip. */
export interface TooltipRow {
  label: string;
  color: string;
  value: string;
}

/** Where a tooltip points, and the box that it stays in; CSS pixels. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TooltipProps {
  title: string;
  rows: TooltipRow[];
  place: Place;
}

const DISTANCE = 14;

/** The one tooltip of a chart. Only the browser renders it, so styles are set by script. */
export function Tooltip({ title, rows, place }: TooltipProps) {
  return (
    // The live region speaks for it.
    <div class="chart-tooltip" aria-hidden="true" style={{ transform: position(place) }}>
      <div class="chart-tooltip-title">{title}</div>
      <div class="chart-tooltip-rows">
        {rows.map(({ label, color, value }, i) => (
          <div key={i} class="chart-tooltip-row">
            <span class="chart-tooltip-dot" style={{ backgroundColor: color }} />
            <span class="chart-tooltip-label">{label}</span>
            <span class="chart-tooltip-value">{value}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * Beside the datum, on the side with more room. The box's own size comes in as percentages, so that
 * nothing has to be measured while the pointer moves.
 */
function position({ x, y, width, height }: Place): string {
  const beside = x > width / 2 ? `${x - DISTANCE}px - 100%` : `${x + DISTANCE}px`;
  return `translate(clamp(0px, ${beside}, ${width}px - 100%), ` +
    `clamp(0px, ${y}px - 50%, ${height}px - 100%))`;
}
