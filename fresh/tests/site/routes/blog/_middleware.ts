import { define } from "../../define.ts";

export default define.middleware([
  (ctx) => {
    ctx.state.trail?.push("blog1");
    return ctx.next();
  },
  (ctx) => {
    ctx.state.trail?.push("blog2");
    return ctx.next();
  },
]);
