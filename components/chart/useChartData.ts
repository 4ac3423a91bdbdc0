import { useEffect, useState } from "preact/hooks";
import { type ChartData, parseChartData, sameData } from "../../lib/chart/mod.ts";
import { useStable } from "./hooks.ts";

const TIMEOUT_MS = 20_000;

/** What there is to draw, and what its fetching has come to. */
export interface LoadedData {
  data: ChartData;
  loading: boolean;
  failed: boolean;
  retry(): void;
}

/** What a fetch has come to. */
interface Answer {
  src: string;
  attempt: number;
  failed: boolean;
  /** What the address has answered, now or at an earlier attempt. */
  data?: ChartData;
}

/**
 * The page's data, or what `src` answers. A fetch for an address that is no longer asked for is
 * aborted. Where a fetch fails, only what the same address has answered before stays.
 */
export function useChartData(given: ChartData, src: string | undefined): LoadedData {
  const page = useStable(given, sameData);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (src === undefined) return;
    const stop = new AbortController();
    const settle = (data?: ChartData) => {
      if (stop.signal.aborted) return;
      setAnswer((before) => ({
        src,
        attempt,
        failed: data === undefined,
        data: data ?? (before?.src === src ? before.data : undefined),
      }));
    };
    load(src, AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]))
      .then(settle, () => settle());
    return () => stop.abort();
  }, [src, attempt]);

  const own = answer?.src === src ? answer : null;
  const loading = src !== undefined && own?.attempt !== attempt;
  return {
    data: own?.data ?? page,
    loading,
    failed: !loading && !!own?.failed,
    retry: () => setAttempt(attempt + 1),
  };
}

async function load(src: string, signal: AbortSignal): Promise<ChartData> {
  const response = await fetch(src, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return parseChartData(await response.json());
}
