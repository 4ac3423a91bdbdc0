import { App, csp, staticFiles } from "fresh";

export const app: App<unknown> = new App()
  .use(csp({ useNonce: true, csp: ["upgrade-insecure-requests"] }))
  .use(staticFiles())
  .fsRoutes();
