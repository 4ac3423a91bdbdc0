import { config } from "zod";

// Zod compiles its schemas where it may. A page's policy forbids that, and reports the attempt.
if (typeof document !== "undefined") config({ jitless: true });

export * from "zod";
