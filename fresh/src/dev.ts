export { Builder, type BuildOptions, type ResolvedBuildConfig } from "./dev/builder.ts";
