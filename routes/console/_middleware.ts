import { define } from "../../lib/state.ts";

/** The console's pages bring their own frame; an error page takes the shell again. */
export default define.middleware((ctx) => {
  ctx.state.bare = true;
  return ctx.next();
});
