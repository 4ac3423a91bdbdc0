import { useEffect } from "preact/hooks";
import type { PasskeyAccount, PasskeySummary } from "../../lib/features/passkeys/mod.ts";
import { formatDay } from "../../lib/base/time.ts";
import { reportPasskeys } from "./ceremonies.ts";

const NAME_LIMIT = 60;

/** A record's passkeys, with forms that rename and remove them, also without scripts. */
export function PasskeyList(
  { passkeys, account }: { passkeys: PasskeySummary[]; account: PasskeyAccount },
) {
  // The page is reloaded after every change, so this reports each of them.
  useEffect(() => {
    reportPasskeys(account).catch(reportError);
  }, []);
  return (
    <ul class="passkeys below-4">
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <strong>{passkey.name}</strong>
          <p class="muted">{describe(passkey)}</p>
          <details>
            <summary aria-label={`Rename or remove ${passkey.name}`}>Rename or remove</summary>
            <RenameForm passkey={passkey} />
            <RemoveForm passkey={passkey} only={passkeys.length === 1} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function describe({ name, provider, synced, created_at, last_used }: PasskeySummary): string {
  const named = provider === null || name.startsWith(provider);
  return [
    ...named ? [] : [provider],
    synced ? "Synced" : "On one device only",
    `added ${formatDay(created_at)}`,
    last_used === null ? "not used yet" : `last used ${formatDay(last_used)}`,
  ].join(" · ");
}

function RenameForm({ passkey: { id, name } }: { passkey: PasskeySummary }) {
  const field = `passkey-${id.slice(0, 8)}`;
  return (
    <form class="wrap passkey-rename bottom gap-3" method="post" action="/my-record/passkeys">
      <input type="hidden" name="act" value="rename" />
      <input type="hidden" name="id" value={id} />
      <div class="field flush">
        <label for={field}>Name</label>
        <input
          id={field}
          name="name"
          value={name}
          maxLength={NAME_LIMIT}
          autocomplete="off"
          required
        />
      </div>
      <button type="submit" class="button small">Rename</button>
    </form>
  );
}

function RemoveForm({ passkey: { id }, only }: { passkey: PasskeySummary; only: boolean }) {
  return (
    <form class="passkey-remove pad-top-3" method="post" action="/my-record/passkeys">
      <input type="hidden" name="act" value="remove" />
      <input type="hidden" name="id" value={id} />
      <p class="muted below-3">
        {only
          ? "This is your only passkey. Without it you sign in with a mailed link, and your record " +
            "drops below level 3 unless its mobile number is confirmed."
          : "It stops working at once, on every device."}
      </p>
      <button type="submit" class="button small danger">Remove this passkey</button>
    </form>
  );
}
