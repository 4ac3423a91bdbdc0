import { useEffect, useRef, useState } from "preact/hooks";
import { type ChartData, parseChartData, sameData } from "../../lib/chart/mod.ts";
import { useStable } from "./hooks.ts";

const TIMEOUT_MS = 20_000;

/** What there is to draw, and what its fetching has come to. */
export interface LoadedData {
  data: ChartData;
  state: "ready" | "loading" | "failed";
  retry(): void;
}

interface Answer {
  src: string;
  attempt: number;
  failed: boolean;
}

/**
 * The page's data, or what `src` answers. What was there stays until the answer has come; a fetch
 * for an address that is no longer asked for is aborted. Where a fetch fails, only what the same
 * address has answered before stays.
 */
export function useChartData(given: ChartData, src: string | undefined): LoadedData {
  const page = useStable(given, sameData);
  const [fetched, setFetched] = useState<{ src: string; data: ChartData } | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [attempt, setAttempt] = useState(0);
  const last = useRef(page);

  useEffect(() => {
    if (src === undefined) return;
    const stop = new AbortController();
    load(src, AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)])).then(
      (data) => {
        if (stop.signal.aborted) return;
        setFetched({ src, data });
        setAnswer({ src, attempt, failed: false });
      },
      () => {
        if (!stop.signal.aborted) setAnswer({ src, attempt, failed: true });
      },
    );
    return () => stop.abort();
  }, [src, attempt]);

  const state = src === undefined
    ? "ready"
    : answer?.src !== src || answer.attempt !== attempt
    ? "loading"
    : answer.failed
    ? "failed"
    : "ready";
  const current = src !== undefined && fetched?.src === src ? fetched.data : page;
  const data = useStable(
    state === "loading" && current.labels.length === 0 ? last.current : current,
    sameData,
  );
  last.current = data;
  return { data, state, retry: () => setAttempt((attempt) => attempt + 1) };
}

async function load(src: string, signal: AbortSignal): Promise<ChartData> {
  const response = await fetch(src, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return parseChartData(await response.json());
}
