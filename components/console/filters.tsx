import { isDay } from "../../lib/time.ts";
import { Field } from "../Field.tsx";

interface FilterProps {
  name: string;
  label: string;
  /** As typed. */
  value: string;
  problem?: string;
}

/** A day in a filter form. An invalid value stays as typed; a date field would drop it. */
export const DateFilter = ({ name, label, value, problem }: FilterProps) => (
  <Field name={name} label={label} problem={problem}>
    {(control) => (
      <input {...control} type={value === "" || isDay(value) ? "date" : "text"} value={value} />
    )}
  </Field>
);

/**
 * A choice in a filter form.
 *
 * @param props.any the text of the choice that filters nothing, if there is one
 * @param props.choices each value with its text
 */
export const ChoiceFilter = ({ name, label, value, problem, any, choices }: FilterProps & {
  any?: string;
  choices: Iterable<readonly [value: string, text: string]>;
}) => (
  <Field name={name} label={label} problem={problem}>
    {(control) => (
      <select {...control}>
        {any !== undefined && <option value="">{any}</option>}
        {[...choices].map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>{text}</option>
        ))}
      </select>
    )}
  </Field>
);

/** The buttons of a filter form; with filters, also a link that clears them. */
export const FilterActions = ({ path, filtered }: { path: string; filtered: boolean }) => (
  <div class="ledger-actions">
    <button type="submit" class="button">Apply</button>
    {filtered && <a class="button quiet" href={path}>Clear</a>}
  </div>
);
