/**
 * The whole site as a process of its own, with real providers at the addresses in its environment. It
 * prints `ready`, and stops when its input ends.
 */
import { serve } from "../lib/platform/http/serve.ts";
import { startTelemetry } from "../lib/platform/telemetry/mod.ts";
import { createSite } from "./site.ts";

const site = await createSite(Deno.env.toObject(), { print: console.log });
const { config, jobs } = site.services;
startTelemetry(site.services);
const server = serve({ hostname: "127.0.0.1", port: config.port }, site.handler);
jobs.start();
console.log("ready");
await Deno.stdin.read(new Uint8Array(1));
await server.shutdown();
await site[Symbol.asyncDispose]();
