import { define } from "../define.ts";

export const handler = define.middleware((ctx) => {
  (ctx.state.trail ??= []).push("root");
  return ctx.next();
});
