export * from "./readiness.ts";
