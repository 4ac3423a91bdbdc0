import { App, staticFiles } from "fresh";

/** Three pages: our chart, Chart.js, and what both of them stand on. */
export const app: App<unknown> = new App().use(staticFiles()).fsRoutes();
