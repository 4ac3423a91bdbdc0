/** Asks for a record's hash; it works without scripts. */
export function HashForm({ hash, problem }: { hash: string; problem?: string }) {
  return (
    <form class="hash-form" method="get" action="/verify">
      <div class="field">
        <label for="hash">Record hash</label>
        <span class="hint" id="hash-hint">
          64 hexadecimal digits, from a QR code, a print or the end of your registration.
        </span>
        <div class="hash-line">
          <input
            id="hash"
            name="hash"
            class="mono"
            value={hash}
            required
            maxLength={500}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby={problem ? "hash-hint hash-problem" : "hash-hint"}
            aria-invalid={problem ? "true" : undefined}
          />
          <button type="submit" class="button primary">Verify</button>
        </div>
        {problem && <span class="problem" id="hash-problem">{problem}</span>}
      </div>
    </form>
  );
}
