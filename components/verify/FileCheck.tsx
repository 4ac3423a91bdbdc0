import { useEffect, useState } from "preact/hooks";

/** Lets a saved chain be chosen. It stays on the visitor's machine; without scripts it stays away. */
export function FileCheck({ onFile }: { onFile: (file: File) => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return null;
  return (
    <section class="file-check">
      <h2>Check a saved chain</h2>
      <div class="field">
        <label for="saved-chain">A chain saved as JSON</label>
        <span class="hint" id="saved-chain-hint">It is read here and sent nowhere.</span>
        <input
          id="saved-chain"
          type="file"
          accept=".json,application/json"
          aria-describedby="saved-chain-hint"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onFile(file);
            currentTarget.value = ""; // the same file may be chosen again, altered
          }}
        />
      </div>
    </section>
  );
}
