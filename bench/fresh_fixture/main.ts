import { App, staticFiles } from "fresh";

/** The app that upstream was measured with, and two pages for measuring the size of an island. */
export const app: App<{ greeting?: string }> = new App<{ greeting?: string }>()
  .use(staticFiles())
  .use("/json", (ctx) => {
    ctx.state.greeting = "hello";
    return ctx.next();
  })
  .get("/json", (ctx) => ctx.json({ greeting: ctx.state.greeting }))
  .fsRoutes();
