import { define } from "../../define.ts";

export const handlers = define.handlers({
  GET: (ctx) => ctx.json({ trail: ctx.state.trail }),
  DELETE: () => new Response(null, { status: 204 }),
});
