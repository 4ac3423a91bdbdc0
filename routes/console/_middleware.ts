import { consoleAccess } from "../../lib/middlewares/console_access.tsx";
import { define } from "../../lib/state.ts";

export const handler = define.middleware([
  (ctx) => {
    ctx.state.bare = true; // the pages have their own frame
    return ctx.next();
  },
  consoleAccess(),
]);
