import type { ComponentChildren } from "preact";
import type { State } from "../../lib/app/state.ts";
import type { ShownOnce } from "./acts.ts";
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";

/** The page of an issuer, as its sections see it. */
export interface IssuerView {
  issuer: IssuerRow;
  /** True for the console's own organisation, which issues documents too. */
  isOwn: boolean;
  /** The path of the page with the section, to which its forms post. */
  path: string;
  state: State;
  now: number;
  /** The form that was refused; its value `act` says which one. */
  refused?: RefusedForm;
  /** The part that only this response shows. */
  once?: ShownOnce;
}

/** One section of the page of an issuer. */
export interface IssuerSection<Data = unknown> {
  /** The target of links to the section. */
  id: string;
  title: string;
  /**
   * Reads what the section shows. The issuer is read at the same time, so `id` may be that of none, or of
   * one of another organisation, whose page is then not shown.
   */
  read?(asked: { id: string; state: State; now: number }): Promise<Data>;
  /** Returns what the section shows; null if this issuer or console has no such section. */
  show(view: IssuerView, data: Data): ComponentChildren | null;
}
