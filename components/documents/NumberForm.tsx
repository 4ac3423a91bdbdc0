import { MAX_NUMBER_TEXT } from "../../lib/features/documents/mod.ts";
import { Field } from "../Field.tsx";

/** The form that opens a document's page by the number that is printed on it. It needs no scripts. */
export const NumberForm = (
  { text, problem, hint = true, primary = false }: {
    text?: string;
    problem?: string;
    hint?: boolean;
    /** True if nothing else on the page is as important. */
    primary?: boolean;
  },
) => (
  <form class="number-form full-width" method="get" action="/d">
    <Field
      name="number"
      label="Document number"
      hint={hint
        ? "For example 7K3M-9Q2X-B4TW-01RA. Capitals, spaces and hyphens do not matter."
        : undefined}
      problem={problem}
    >
      {(control) => (
        <div class="number-line hash-line flex gap-3">
          <input
            {...control}
            class="mono shrinks"
            value={text}
            required
            maxLength={MAX_NUMBER_TEXT}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
          />
          <button type="submit" class={primary ? "button primary" : "button"}>Open</button>
        </div>
      )}
    </Field>
  </form>
);
