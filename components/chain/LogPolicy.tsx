/** The form on the verify page for the reader's own policy about logs and witnesses. */
import { useEffect, useState } from "preact/hooks";
import type { PageLog } from "./browser_trust.ts";
import { loadExaminer } from "./load_examiner.ts";
import { savedPolicy, savePolicy } from "./saved_policy.ts";

/** Lets readers say in their own policy whose countersignatures count. It needs scripts. */
export function LogPolicy({ log, onChange }: { log: PageLog | null; onChange: () => void }) {
  const [own, setOwn] = useState<string | null>();
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState("");
  useEffect(() => setOwn(savedPolicy()), []);
  const suggested = log?.policy ?? "";
  const change = (text: string | null, done: string) => {
    savePolicy(text);
    setOwn(text);
    setProblem(null);
    setSaved(done);
    onChange();
  };
  const save = async (text: string) => {
    const { parsePolicy, PolicyError } = await loadExaminer();
    try {
      parsePolicy(text);
      change(text, "Saved in this browser.");
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      setSaved("");
      setProblem(error.message);
    }
  };
  return (
    <details class="log-policy with-scripts measure-wide pad-top-5 above-6 ruled">
      <summary class="below-3">
        <h2>Whose countersignatures count</h2>
      </summary>
      {own !== undefined && (
        <>
          <p>
            {own === null
              ? "This site suggests the logs and witnesses below. Anyone who serves a page can suggest anything: decide for yourself whom you trust, and save your own policy in this browser."
              : "Your browser uses the policy that you have saved in it."}
          </p>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const field = event.currentTarget.elements.namedItem("policy") as HTMLTextAreaElement;
              save(field.value).catch(reportError);
            }}
          >
            <div class="field">
              <label for="log-policy">Policy</label>
              <span class="hint" id="log-policy-hint">
                One entry per line: <code>log</code>, <code>witness</code>, <code>group</code>,{" "}
                <code>quorum</code>, as in a file for the command.
              </span>
              <textarea
                key={own ?? ""}
                id="log-policy"
                name="policy"
                class="mono anywhere"
                rows={6}
                maxLength={64 * 1024}
                spellcheck={false}
                autocapitalize="none"
                defaultValue={own ?? suggested}
                aria-describedby={problem === null
                  ? "log-policy-hint"
                  : "log-policy-hint log-policy-problem"}
                aria-invalid={problem === null ? undefined : "true"}
              />
              {problem !== null && <span class="problem" id="log-policy-problem">{problem}</span>}
            </div>
            <p class="actions">
              <button type="submit" class="button">Save my policy</button>
              {own !== null && (
                <button
                  type="button"
                  class="button"
                  onClick={() => change(null, "Deleted. This site's suggestion counts again.")}
                >
                  Delete it
                </button>
              )}
              <span role="status">{saved}</span>
            </p>
          </form>
        </>
      )}
    </details>
  );
}
