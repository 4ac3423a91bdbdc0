import { App, staticFiles } from "fresh";

/** What upstream was measured with: four pages, and two that show what an island costs. */
export const app: App<{ greeting?: string }> = new App<{ greeting?: string }>()
  .use(staticFiles())
  .use("/json", (ctx) => {
    ctx.state.greeting = "hello";
    return ctx.next();
  })
  .get("/json", (ctx) => ctx.json({ greeting: ctx.state.greeting }))
  .fsRoutes();
