import { createDefine } from "fresh";
import type { Identity } from "./auth/mod.ts";
import type { Services } from "./services.ts";
import type { Surface } from "./surfaces/mod.ts";

/** What travels with a request, on `ctx.state`. */
export interface State {
  services: Services;
  surface: Surface;
  /** Who sends the request; null for nobody, and on surfaces where nobody signs in. */
  session: Identity | null;
  /** False on pages that must load no script at all. */
  scripts: boolean;
  /** True on pages that bring their own frame; the shell then stays away. */
  bare: boolean;
}

/** Types for routes and middlewares. */
export const define = createDefine<State>();
