import { Builder } from "fresh/dev";

// `dev.ts build` builds; `dev.ts 8000` serves for development on that port.
const builder = new Builder({ root: import.meta.dirname });
if (Deno.args.includes("build")) await builder.build();
else await builder.listen(() => import("./main.ts"), { port: Number(Deno.args[0] ?? 0) });
