import type { ComponentChildren } from "preact";
import { CONFIG } from "../../lib/contact/config.ts";
import type { FieldName } from "./draft.ts";

/** What a control carries, so that label and problem belong to it. */
export interface ControlProps {
  id: string;
  required?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: "true";
}

export const idOf = (name: FieldName): string => `field-${name}`;

/** A field: its label, its control, and what is wrong with it. */
export function Field(
  { name, required, problem, children }: {
    name: Exclude<FieldName, "challenge">;
    required?: boolean;
    problem: string | undefined;
    children: (control: ControlProps) => ComponentChildren;
  },
) {
  const id = idOf(name);
  const control: ControlProps = { id, required };
  if (problem !== undefined) {
    control["aria-describedby"] = `${id}-problem`;
    control["aria-invalid"] = "true";
  }
  return (
    <div class="field">
      <label for={id}>
        {CONFIG.COPY.LABELS[name]}
        {!required && <span class="optional">{CONFIG.COPY.OPTIONAL}</span>}
      </label>
      {children(control)}
      <Problem name={name} text={problem} />
    </div>
  );
}

/** What is wrong with a field. */
export function Problem({ name, text }: { name: FieldName; text: string | undefined }) {
  if (text === undefined) return null;
  return <span class="problem" id={`${idOf(name)}-problem`}>{text}</span>;
}
