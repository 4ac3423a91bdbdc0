import { useEffect, useState } from "preact/hooks";
import type { LogSentence, watchNewRecord } from "../../lib/features/verifier/mod.ts";
import type { Receipt } from "./responses.ts";

/** Loads the verifier, which is larger than the rest of this module. */
export type LoadVerifier = () => Promise<{ watchNewRecord: typeof watchNewRecord }>;

/** Says in one sentence whether the new record is in the public log. */
export function LogLine({ receipt, load }: { receipt: Receipt; load: LoadVerifier }) {
  const [sentence, setSentence] = useState<LogSentence>();
  useEffect(() => {
    const stop = load().then((verifier) => verifier.watchNewRecord(receipt, setSentence));
    // Without the verifier, the line is missing.
    return () => void stop.then((end) => end(), () => {});
  }, []);
  return sentence && (
    <div class="feed">
      <p class={`watch ${sentence.tone}`} role="status">{sentence.text}</p>
    </div>
  );
}
