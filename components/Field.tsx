/** The markup that connects a form control with its label, hint and error message. */
import type { ComponentChildren } from "preact";

/** Attributes that connect a control with its label, hint and problem. */
export interface ControlProps {
  id: string;
  name: string;
  required?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: "true";
}

/**
 * A form field: label, hint, control and problem.
 *
 * @example
 * ```tsx
 * <Field name="email" label="Email" required problem={issues.email}>
 *   {(control) => <input {...control} type="email" autocomplete="email" />}
 * </Field>
 * ```
 */
export function Field(
  { name, label, hint, problem, required, children }: {
    name: string;
    label: ComponentChildren;
    hint?: string;
    problem?: string;
    required?: boolean;
    children: (control: ControlProps) => ComponentChildren;
  },
) {
  const id = `field-${name}`;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const control: ControlProps = { id, name, required };
  if (described !== "") control["aria-describedby"] = described;
  if (problem !== undefined) control["aria-invalid"] = "true";
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && <span class="hint" id={`${id}-hint`}>{hint}</span>}
      {children(control)}
      {problem !== undefined && <span class="problem" id={`${id}-problem`}>{problem}</span>}
    </div>
  );
}
