import { useRef, useState } from "preact/hooks";
import { ChainReadError, verifierSupport } from "../../lib/chain/mod.ts";
import type { Examination, OnProgress } from "./examine.ts";

/** How far a verification is. */
export type Verification =
  | { phase: "idle" }
  | { phase: "reading"; have: number; of: number }
  | { phase: "done"; examination: Examination }
  /** It could not be tried, or not to its end: nothing is known. */
  | { phase: "failed"; message: string };

/** One verification, at work as long as the signal is not aborted. */
export type Work = (onProgress: OnProgress, signal: AbortSignal) => Promise<Examination>;

const UNSUPPORTED = {
  insecure: "This page was not opened over HTTPS, so the browser keeps its cryptography from it.",
  no_ed25519: "This browser cannot check Ed25519 signatures. A newer one can, and so can the " +
    "command below.",
};

/** One verification at a time: a new one ends the one before. */
export function useVerification(): [Verification, (work: Work) => Promise<void>] {
  const [state, setState] = useState<Verification>({ phase: "idle" });
  const current = useRef<AbortController>();

  const start = async (work: Work) => {
    current.current?.abort();
    const mine = current.current = new AbortController();
    const set = (state: Verification) => {
      if (!mine.signal.aborted) setState(state);
    };
    set({ phase: "reading", have: 0, of: 0 });
    const support = await verifierSupport();
    if (support !== "ok") return set({ phase: "failed", message: UNSUPPORTED[support] });
    try {
      const onProgress: OnProgress = (have, of) => set({ phase: "reading", have, of });
      set({ phase: "done", examination: await work(onProgress, mine.signal) });
    } catch (error) {
      const known = error instanceof ChainReadError;
      set({ phase: "failed", message: known ? error.message : "Something went wrong here." });
      if (!known && !mine.signal.aborted) throw error;
    } finally {
      mine.abort(); // of what was begun together, something may still be under way
    }
  };
  return [state, start];
}
