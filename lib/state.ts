import { createDefine } from "fresh";
import type { Identity } from "./auth/mod.ts";
import type { Services } from "./services.ts";
import type { Surface } from "./surfaces/mod.ts";

/** What handlers and pages find on `ctx.state`. */
export interface State {
  services: Services;
  surface: Surface;
  /** Who is signed in; null for nobody, and on surfaces without sign-in. */
  session: Identity | null;
  /** False on pages that load no scripts at all. */
  scripts: boolean;
  /** True on pages with a frame of their own, which are rendered without the shell. */
  bare: boolean;
}

/** Types for routes and middlewares. */
export const define = createDefine<State>();
