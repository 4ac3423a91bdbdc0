import { createDefine } from "fresh";
import type { Identity } from "./auth/mod.ts";
import type { Services } from "./services.ts";
import type { Surface } from "./surfaces/mod.ts";

/** The type of `ctx.state` in handlers and pages. */
export interface State {
  services: Services;
  surface: Surface;
  /** The person who is signed in; null if nobody is, and on surfaces without sign-in. */
  session: Identity | null;
  /** False on pages that load no scripts at all. */
  scripts: boolean;
  /** True on pages with their own frame, which are rendered without the shell. */
  bare: boolean;
}

/** Types for routes and middlewares. */
export const define = createDefine<State>();
