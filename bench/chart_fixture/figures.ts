import type { ChartData } from "../../lib/chart/mod.ts";

/** The same figures in the shape that each of the two takes without further work. */
export interface Figures {
  ours: ChartData;
  peer: { x: number; y: number }[];
}

/** A line of one figure a minute. */
export function makeFigures(count: number): Figures {
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

/** When the frame that shows the chart has been painted. */
export function painted(): Promise<number> {
  return new Promise((done) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now());
      port2.postMessage(null);
    })
  );
}

/** When something inside the element has changed. */
export function changed(element: Element): Promise<void> {
  return new Promise((done) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      done();
    });
    observer.observe(element, { childList: true, subtree: true });
  });
}

declare global {
  /** Draws the figures anew and tells how many milliseconds that took until it was painted. */
  var draw: ((count: number) => Promise<number>) | undefined;
}
