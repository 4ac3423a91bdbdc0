import { createDefine } from "fresh";
import type { Services } from "./services.ts";
import type { Surface } from "./surfaces/mod.ts";

/** What travels with a request, on `ctx.state`. */
export interface State {
  services: Services;
  surface: Surface;
  /** False on pages that must load no script at all. */
  scripts: boolean;
}

/** Types for routes and middlewares. */
export const define = createDefine<State>();
