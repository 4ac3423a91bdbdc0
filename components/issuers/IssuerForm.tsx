/** The form that all settings of an issuer use, with the problem of a refused one. */
import type { ComponentChildren } from "preact";
import type { IssuerView } from "./section.ts";

/**
 * A form of the page of an issuer. If it was refused, it says why, unless a field does.
 *
 * @example
 * ```tsx
 * <IssuerForm view={view} act="remove" submit="Remove" tone="danger">…</IssuerForm>
 * ```
 */
export function IssuerForm({ view, act, fields = {}, submit, tone = "", children }: {
  view: IssuerView;
  act: string;
  /** Further fields, which are not shown. They also say which of several forms was refused. */
  fields?: Readonly<Record<string, string>>;
  submit: ComponentChildren;
  tone?: "primary" | "danger" | "";
  children?: ComponentChildren;
}) {
  const problem = refusedForm(view, act, fields)?.problem;
  return (
    <form method="post" action={view.path}>
      {Object.entries({ act, ...fields }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {problem !== undefined && <p class="problem" role="alert">{problem}</p>}
      <button type="submit" class={`button ${tone}`.trim()}>{submit}</button>
    </form>
  );
}

/** Returns what was entered in a form that was refused, and why; undefined if it was not. */
export const refusedForm = (
  { refused }: IssuerView,
  act: string,
  fields: Readonly<Record<string, string>> = {},
) =>
  refused !== undefined &&
    Object.entries({ act, ...fields }).every(([name, value]) => refused.values[name] === value)
    ? refused
    : undefined;
