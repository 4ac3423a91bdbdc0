import { createDefine, type Define } from "fresh";

export interface State {
  /** Which middlewares were passed. */
  trail?: string[];
}

export const define: Define<State> = createDefine<State>();
