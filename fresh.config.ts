import type { BuildOptions } from "fresh/dev";

/** Settings shared by the app and the build. */
export const freshConfig = {
  root: import.meta.dirname!,
  outDir: "_fresh",
  serverEntry: "server.ts",
} satisfies BuildOptions;
