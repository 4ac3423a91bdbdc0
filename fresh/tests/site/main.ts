import { App, csp, staticFiles } from "fresh";
import type { State } from "./define.ts";

export const app: App<State> = new App<State>()
  .use(csp({ useNonce: true, csp: ["upgrade-insecure-requests"] }))
  .use(staticFiles())
  .fsRoutes();
