/** The list of passkeys that holders and operators manage. */
import type { PasskeyAccount, PasskeySummary } from "../../lib/features/passkeys/mod.ts";
import { formatDay } from "../../lib/base/time.ts";
import { ReportPasskeys } from "./ReportPasskeys.tsx";

const NAME_LIMIT = 60;

export interface PasskeyItemsProps {
  passkeys: PasskeySummary[];
  account: PasskeyAccount;
  /** The path that renames and removes passkeys. */
  action: string;
  /** The consequence of removing one. */
  removal: string;
}

/** Somebody's passkeys, with forms that rename and remove them, also without scripts. */
export function PasskeyItems({ passkeys, account, action, removal }: PasskeyItemsProps) {
  return (
    <>
      <ReportPasskeys account={account} />
      <ul class="passkeys below-4">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <strong class="anywhere">{passkey.name}</strong>
            <p class="flush muted">{describe(passkey)}</p>
            <details>
              <summary aria-label={`Rename or remove ${passkey.name}`}>Rename or remove</summary>
              <RenameForm passkey={passkey} action={action} />
              <RemoveForm passkey={passkey} action={action} removal={removal} />
            </details>
          </li>
        ))}
      </ul>
    </>
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

interface FormProps {
  passkey: PasskeySummary;
  action: string;
}

function RenameForm({ passkey: { id, name }, action }: FormProps) {
  const field = `passkey-${id.slice(0, 8)}`;
  return (
    <form class="wrap passkey-rename bottom gap-3" method="post" action={action}>
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

function RemoveForm(
  { passkey: { id }, action, removal }: FormProps & { removal: string },
) {
  return (
    <form class="passkey-remove pad-top-3" method="post" action={action}>
      <input type="hidden" name="act" value="remove" />
      <input type="hidden" name="id" value={id} />
      <p class="muted below-3">{removal}</p>
      <button type="submit" class="button small danger">Remove this passkey</button>
    </form>
  );
}
