import { config } from "zod";

// Zod compiles schemas with `new Function`, which the pages' Content-Security-Policy blocks and
// reports.
if (typeof document !== "undefined") config({ jitless: true });

export * from "zod";
