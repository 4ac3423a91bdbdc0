import { encode } from "uqr";

/** The modules' quiet zone, as the standard for QR codes has it. */
const BORDER = 4;

/** A QR code as one SVG path: a stroke for each run of dark modules. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const path = data.flatMap((row, y) =>
    runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

function runs(row: readonly boolean[]): [number, number][] {
  const found: [number, number][] = [];
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x]) x++;
    found.push([start, x - start]);
  }
  return found;
}
