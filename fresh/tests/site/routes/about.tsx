import { define } from "../define.ts";
import { page } from "fresh";

export const handler = define.handlers({
  GET: () => page({ name: "about" }, { headers: { "x-page": "about" } }),
  POST: (ctx) => ctx.redirect("/about", 303),
});

export default define.page<typeof handler>(({ data }) => <h1>{data.name}</h1>);
