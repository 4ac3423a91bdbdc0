import { useEffect, useState } from "preact/hooks";

/** A file input for a saved chain. It needs JavaScript, because nothing is uploaded. */
export function FileCheck({ onFile }: { onFile: (file: File) => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return null;
  return (
    <section class="file-check measure-wide pad-top-5 above-6 ruled">
      <h2>Check a saved chain</h2>
      <div class="field">
        <label for="saved-chain">A chain saved as JSON</label>
        <span class="hint" id="saved-chain-hint">
          Your browser reads the file. It is not uploaded.
        </span>
        <input
          id="saved-chain"
          type="file"
          accept=".json,application/json"
          aria-describedby="saved-chain-hint"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onFile(file);
            currentTarget.value = ""; // choosing the same file again then fires a change event
          }}
        />
      </div>
    </section>
  );
}
