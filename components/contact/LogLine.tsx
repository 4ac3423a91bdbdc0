import { useEffect, useState } from "preact/hooks";
import type { LogSentence, watchNewRecord } from "../../packages/proof/mod.ts";
import type { Receipt } from "./responses.ts";

/** Loads the verifier, which is larger than the rest of this module. */
export type LoadVerifier = () => Promise<{ watchNewRecord: typeof watchNewRecord }>;

/**
 * Says in one sentence whether the new record is in the public log.
 *
 * @param props.size the number of events that are known. With each new one, the log is asked again
 */
export function LogLine(
  { receipt, size, load }: { receipt: Receipt; size: number; load: LoadVerifier },
) {
  const [sentence, setSentence] = useState<LogSentence>();
  useEffect(() => {
    const stop = load().then(
      (verifier) => verifier.watchNewRecord(receipt, setSentence),
      () => () => {}, // without the verifier, the line is missing
    );
    return () => void stop.then((end) => end()); // stopping never fails
  }, [size]);
  return sentence && (
    <div class="feed">
      <p class={`watch ${sentence.tone}`} role="status">{sentence.text}</p>
    </div>
  );
}
