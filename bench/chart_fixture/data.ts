import type { ChartData } from "../../lib/features/chart/mod.ts";

/** The same data in the form that each chart accepts without conversion. */
export interface BenchData {
  ours: ChartData;
  peer: { x: number; y: number }[];
}

/** Returns a series with one value per minute. */
export function createData(count: number): BenchData {
  const end = Date.UTC(2026, 2, 31);
  let level = 5_000;
  const peer = Array.from({ length: count }, (_, i) => {
    level += Math.sin(i * 12.9898) * 4;
    return { x: end - (count - 1 - i) * 60_000, y: Math.round(level * 100) / 100 };
  });
  const ours = {
    labels: peer.map(({ x }) => new Date(x).toISOString()),
    datasets: [{ label: "Load", data: peer.map(({ y }) => y) }],
  };
  return { ours, peer };
}

/** Resolves to the time after the next frame is painted. */
export function nextPaint(): Promise<number> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    })
  );
}

/** Resolves when the content of the element changes. */
export function nextChange(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(element, { childList: true, subtree: true });
  });
}

declare global {
  /** Draws a new chart with `count` points; returns the milliseconds until it was painted. */
  var draw: ((count: number) => Promise<number>) | undefined;
}
