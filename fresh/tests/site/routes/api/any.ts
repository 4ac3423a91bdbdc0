import { define } from "../../define.ts";

export const handler = define.handlers((ctx) => ctx.text(ctx.req.method));
