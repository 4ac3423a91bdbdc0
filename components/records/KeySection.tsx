/** The section “Key” of “My record”, with the parts that it shares with the page of the key. */
import type { ComponentChildren } from "preact";
import type { IssuedKey, KeyOverview } from "../../lib/features/records/keys/keys.ts";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

export interface KeySectionProps {
  keys: KeyOverview;
  /** True if the record's level is high enough for a new key. */
  mayIssue: boolean;
}

/** The record's key on the record page: its state, and the button that creates the first one. */
export function KeySection({ keys: { current, past }, mayIssue }: KeySectionProps) {
  return (
    <FoldedSection
      id="key"
      title="Key"
      state={current !== null
        ? (
          <>
            Created on <Time at={current.created_at} day />
          </>
        )
        : mayIssue
        ? "Not created yet"
        : "From level 3"}
      lead="A card with a QR code that shows your record without your details."
    >
      <KeyState current={current} mayIssue={mayIssue} />
      {current === null && mayIssue && <KeyActionForm action="show" text="Create my key" />}
      {(current !== null || past.length > 0) && (
        <p>
          <a class="button small" href="/my-record/key">Manage your key</a>
        </p>
      )}
    </FoldedSection>
  );
}

export function KeyState(
  { current, mayIssue }: { current: IssuedKey | null; mayIssue: boolean },
) {
  if (current !== null) {
    return (
      <p>
        Your key was created on{" "}
        <Time at={current.created_at} day />. It was shown only then. If you have lost the card,
        replace the key.
      </p>
    );
  }
  return mayIssue
    ? <p>You have no key. A new key is shown only once, as a card to print or save.</p>
    : <p>You get a key at level 3.</p>;
}

export const CreateKeyForm = () => <KeyActionForm action="show" text="Create my key" primary />;

/** A button that posts one action on the record's key. */
export function KeyActionForm(
  { action, id, text, primary = false, children }: {
    action: "show" | "replace" | "revoke";
    /** The id of the key that the holder sees. */
    id?: string;
    text: string;
    primary?: boolean;
    children?: ComponentChildren;
  },
) {
  const style = primary ? "button primary" : action === "revoke" ? "button danger" : "button";
  return (
    <form method="post" action="/my-record/key">
      <input type="hidden" name="act" value={action} />
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {children}
      <p>
        <button type="submit" class={style}>{text}</button>
      </p>
    </form>
  );
}
