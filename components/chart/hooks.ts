/** The hooks of charts: loading data, delaying work, ids, and announcements to screen readers. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { anySignal } from "../../lib/base/signals.ts";
import { type ChartData, equalData, parseChartData } from "../../lib/features/chart/data.ts";

const FETCH_TIMEOUT_MS = 20_000;
const ANNOUNCEMENT_DELAY_MS = 300;

interface Loaded {
  src: string;
  attempt: number;
  failed: boolean;
  /** The last data that this URL returned, possibly in an earlier attempt. */
  data?: ChartData;
}

/**
 * Returns the page's data, or the data that `src` returns. When `src` changes, the current request
 * is aborted. If a request fails, earlier data from the same URL is kept.
 */
export function useChartData(given: ChartData, src: string | undefined) {
  const pageData = useStable(given, equalData);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (src === undefined) return;
    const abort = new AbortController();
    const settle = (data?: ChartData) => {
      if (abort.signal.aborted) return;
      setLoaded((before) => ({
        src,
        attempt,
        failed: data === undefined,
        data: data ?? (before?.src === src ? before.data : undefined),
      }));
    };
    load(src, anySignal([abort.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]))
      .then(settle, () => settle());
    return () => abort.abort();
  }, [src, attempt]);

  const current = loaded?.src === src ? loaded : null;
  const loading = src !== undefined && current?.attempt !== attempt;
  return {
    data: current?.data ?? pageData,
    loading,
    failed: !loading && !!current?.failed,
    retry: () => setAttempt(attempt + 1),
  };
}

async function load(src: string, signal: AbortSignal): Promise<ChartData> {
  const response = await fetch(src, { signal, headers: { accept: "application/json" } });
  const data = response.ok ? parseChartData(await response.json()) : null;
  if (data === null) throw new Error(`No chart data, status ${response.status}`);
  return data;
}

/** Returns the first of consecutive equal values, so that effects don't run for equal objects. */
function useStable<T>(value: T, equal: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (!equal(kept.current, value)) kept.current = value;
  return kept.current;
}

/** Returns the latest value that was rendered while `waiting` was false, or else `initial`. */
export function useHeld<T>(value: T, waiting: boolean, initial: T): T {
  const held = useRef(initial);
  if (!waiting) held.current = value;
  return held.current;
}

/** Returns a value only after it has been painted, for work that must not delay the plot. */
export function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPainted(value));
    return () => clearTimeout(timer);
  }, [value]);
  return painted;
}

/** Returns an id that is unique across islands; undefined on the server and before hydration. */
export function useElementId(): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => setId(`chart-${Math.random().toString(36).slice(2)}`), []);
  return id;
}

/** Returns the text of a live region and a setter that waits for a pause between changes. */
export function useAnnouncement(): [ReadonlySignal<string>, (text: string) => void] {
  const text = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = (next: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => text.value = next, ANNOUNCEMENT_DELAY_MS);
  };
  return [text, announce];
}
