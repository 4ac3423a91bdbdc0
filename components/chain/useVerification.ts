/** The hook that loads the verifier in the browser, runs it and reports its progress. */
import { useRef, useState } from "preact/hooks";
import { ChainReadError } from "../../packages/proof/chain/reader/read_json.ts";
import type { Examination, ExamineOptions, OnProgress } from "./examine.ts";
import { type Examiner, loadExaminer } from "./load_examiner.ts";

export type Verification =
  | { phase: "idle" }
  | { phase: "reading"; read: number; total: number }
  | { phase: "done"; examination: Examination }
  /** The verification could not be completed, so nothing is known about the chain. */
  | { phase: "failed"; message: string };

type Examine = (
  examiner: Examiner,
  onProgress: OnProgress,
  options: ExamineOptions,
) => Promise<Examination>;

const INSECURE =
  "Browsers provide cryptography only over HTTPS, and this page was opened without it.";
const NOT_LOADED = "The script that verifies signatures in this browser could not be loaded.";

/**
 * Runs one verification at a time: starting one cancels the previous one. The last function repeats it and
 * accepts another key of the log than the one that this browser remembers.
 */
export function useVerification(): [
  Verification,
  (examine: Examine) => Promise<void>,
  acceptKey: () => Promise<void>,
] {
  const [verification, setVerification] = useState<Verification>({ phase: "idle" });
  const latest = useRef<AbortController>();

  const last = useRef<Examine>();

  const start = async (examine: Examine, acceptKey = false) => {
    last.current = examine;
    latest.current?.abort();
    const controller = latest.current = new AbortController();
    const { signal } = controller;
    const set = (next: Verification) => {
      if (!signal.aborted) setVerification(next);
    };
    set({ phase: "reading", read: 0, total: 0 });
    const examiner = await loadExaminer().catch(() => null);
    const usable = await examiner?.prepareVerifier().catch(() => null);
    if (!examiner || !usable) {
      return set({ phase: "failed", message: usable === false ? INSECURE : NOT_LOADED });
    }
    try {
      const onProgress: OnProgress = (read, total) => set({ phase: "reading", read, total });
      set({
        phase: "done",
        examination: await examine(examiner, onProgress, { signal, acceptKey }),
      });
    } catch (error) {
      const known = error instanceof ChainReadError;
      set({ phase: "failed", message: known ? error.message : "Something went wrong." });
      if (!known && !signal.aborted) throw error;
    } finally {
      controller.abort(); // cancels other requests that are still in flight
    }
  };
  return [
    verification,
    (examine) => start(examine),
    async () => last.current && await start(last.current, true),
  ];
}
