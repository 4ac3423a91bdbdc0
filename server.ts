/** The server entry: opens the configured store and services, and closes them on a stop signal. */
import { freshConfig } from "./fresh.config.ts";
import { checkInstance, thisInstance } from "./lib/platform/config/deno_deploy.ts";
import { ConfigError } from "./lib/platform/config/error.ts";
import { parseConfig, readSecrets } from "./lib/app/config.ts";
import { readContactModule } from "./lib/features/contact/module.ts";
import { readPrecompressed } from "./lib/platform/http/precompressed.ts";
import { inTime } from "./lib/base/in_time.ts";
import { openKv, ReadOnlyError } from "./lib/platform/kv/mod.ts";
import { reloadSecrets } from "./lib/app/secrets.ts";
import { checkOrigin, LogOriginError } from "./lib/features/log/mod.ts";
import { createServices } from "./lib/app/services.ts";
import { signingKeyProblems } from "./lib/app/signing_keys.ts";
import { onStop } from "./lib/platform/stop.ts";
import { startupSummary } from "./lib/app/startup_summary.ts";
import { startTelemetry } from "./lib/platform/telemetry/mod.ts";
import { createApp } from "./main.ts";

const env = Deno.env.toObject();
const files = readSecrets(env);
const parsed = parseConfig(env, { files });
// Production never loads the stand-ins.
const { configure, stop } = parsed.env === "development"
  ? (await import("./sandbox/mod.ts")).startSandboxes(parsed)
  : { configure: (config: typeof parsed) => config, stop: () => Promise.resolve() };
const config = configure(parsed);
if (config.denoDeploy) {
  const { problems, warnings } = checkInstance(thisInstance());
  for (const line of warnings) console.warn(line);
  if (problems.length > 0) throw new ConfigError(problems);
}
const kv = await openKv(config.kvPath, console.warn).catch((error) => {
  throw new ConfigError([`KV_PATH: should be a store that can be opened (${error.message})`]);
});
const keyProblems = await signingKeyProblems(config);
if (keyProblems.length > 0) throw new ConfigError(keyProblems);
const outDir = `${freshConfig.root}/${freshConfig.outDir}`;
const contactModule = await readContactModule(outDir);
const services = createServices(config, kv, {
  contactModule: () => Promise.resolve(contactModule),
});
startTelemetry(services);
await services.store.claim(() => services.migrate()).catch((error) => {
  if (!(error instanceof ReadOnlyError)) throw error;
  const message =
    "READ_ONLY: should be unset for one start, because the store is new or must be migrated";
  throw new ConfigError([message]);
});
const otherLog = await checkOrigin(services).catch((error) => {
  throw error instanceof LogOriginError
    ? new ConfigError([`SURFACE_HOSTS: ${error.message}`])
    : error;
});
if (config.surfaceHosts.witness !== undefined) await services.witness.open();
if (otherLog !== null) {
  const host = otherLog.replace(/\/log$/, "");
  console.warn(
    `The public log of this store belongs to port ${
      host.split(":")[1] ?? 80
    } (${host}), where a site is ` +
      `running with the same store. This one publishes nothing in it. The store of its witness is ` +
      `${services.witness.path}. To move the log here, stop the other site, and start this one again.`,
  );
}
services.store.start();
services.storeWork.start();
services.secretStates.start();
// Deno Deploy starts an instance for a cron; elsewhere the process keeps running.
services.jobs.start(
  config.denoDeploy
    ? (run) =>
      // Never rejects: Deno logs the errors of runs.
      void Deno.cron("jobs", "* * * * *", async () => {
        await Promise.all([run(), services.alertWatch.tick()]);
      })
    : undefined,
);
if (!config.denoDeploy) services.alertWatch.start();
const stopReloading = reloadSecrets(services, { env, files, configure });
// `deno serve` loads the build itself; the other commands print the summary with the address.
if (Deno.mainModule.endsWith("/server.js")) {
  console.log(startupSummary(parsed, services.surfaces));
}
if (config.env === "production" && config.store.id === null && services.store.id !== null) {
  console.log(`Store ${services.store.id}. Set STORE_ID to this id to refuse any other store.\n`);
}
onStop(async ({ limitMs, signal, served }) => {
  const { inFlight } = services;
  const log = config.env === "production" ? services.log : () => {};
  const begun = performance.now();
  stopReloading();
  log({ level: "info", event: "stopping", signal, requests: inFlight.size });
  await services.close(limitMs);
  await inTime(served, limitMs - (performance.now() - begun));
  const ms = Math.round(performance.now() - begun);
  log({ level: "info", event: "stopped", ms, requests_cut: inFlight.size });
  await stop();
}, () => services.readiness.drain());

export const app = createApp(services, await readPrecompressed(outDir));
