/** Asks for a key or code of 26 characters that a person has received, such as the code of a share. */
import type { TargetedSubmitEvent } from "preact";
import { Field } from "./Field.tsx";

/**
 * The form for a key or a code of 26 letters and digits. It works without JavaScript: the text is posted, so
 * that it stays out of logs.
 */
export function KeyForm({ name, label, action, submit, again, onKey }: {
  name: string;
  label: string;
  /** The path that it is posted to. */
  action: string;
  /** The text of the button. */
  submit: string;
  /** True if the page shows the result of an earlier key. */
  again: boolean;
  onKey: (key: string) => void;
}) {
  const send = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem(name) as HTMLInputElement;
    onKey(field.value);
  };
  return (
    <form
      class="hash-form key-form measure-wide pad-top-5 above-5 ruled"
      method="post"
      action={action}
      onSubmit={send}
    >
      <Field
        name={name}
        label={label}
        hint="26 letters and digits. Spaces and capitals do not matter."
      >
        {(control) => (
          <div class="hash-line flex gap-3">
            <input
              {...control}
              class="mono shrinks"
              required
              maxLength={500}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
            />
            <button type="submit" class={again ? "button" : "button primary"}>{submit}</button>
          </div>
        )}
      </Field>
    </form>
  );
}
