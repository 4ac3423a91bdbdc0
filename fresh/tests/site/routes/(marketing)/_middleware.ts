import { define } from "../../define.ts";

export const handler = define.middleware(async (ctx) => {
  const response = await ctx.next();
  response.headers.set("x-marketing", "1");
  return response;
});
