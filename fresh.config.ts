import type { BuildOptions } from "fresh/dev";

/** What the app and the build share: where the parts stand. */
export const freshConfig = {
  root: import.meta.dirname!,
  outDir: "_fresh",
  serverEntry: "server.ts",
} satisfies BuildOptions;
