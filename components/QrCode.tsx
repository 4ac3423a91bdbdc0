/** QR codes as SVG, from a text or from a path that was computed before. */
import { useMemo } from "preact/hooks";
import { encode } from "uqr";

/** The quiet zone that the QR code standard requires. */
const BORDER = 4;

interface QrCodeProps {
  text: string;
  label: string;
}

/** Draws a QR code. */
export function QrCode({ text, label }: QrCodeProps) {
  const drawn = useMemo(() => qrPath(text), [text]); // not again for each typed character
  return <QrPath {...drawn} label={label} />;
}

/** Draws a QR code as one SVG path: a rectangle for each run of dark modules. */
export function QrPath({ path, size, label }: ReturnType<typeof qrPath> & { label: string }) {
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** Returns the dark modules of a QR code as the data of an SVG path, and the length of its sides. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const path = data.flatMap((row, y) =>
    runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)
  ).join("");
  return { path, size };
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
