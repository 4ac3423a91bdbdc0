import { createDefine } from "fresh";

export const handlers = createDefine<unknown>().handlers({ GET: (ctx) => ctx.json({ now: 0 }) });
