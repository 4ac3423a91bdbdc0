/** The text that the server prints when it starts. */
import type { Config, WithSettings } from "./config.ts";
import { FEATURES } from "./features.ts";
import { originOf, type Surfaces } from "../platform/surfaces/mod.ts";

/**
 * Returns the text to print at startup: URLs, what is switched off and why, and a hint.
 *
 * @param address the address of the server; undefined under `deno serve`, which prints it itself
 */
export function startupSummary(
  config: Config,
  surfaces: Surfaces,
  address?: Deno.NetAddr,
): string {
  const features: WithSettings = FEATURES;
  const settings = features.flatMap((feature) => feature.settings ?? []);
  const hosts = settings.flatMap((each) => each.hosts?.(config) ?? []);
  const served = [
    ...surfaces.all.map(({ name, baseUrl }) => ({ name, baseUrl })),
    ...hosts.map(({ name, host }) => ({ name, baseUrl: originOf(host, config) })),
  ];
  const width = Math.max(...served.map(({ name }) => name.length));
  const lines = [
    "",
    address === undefined
      ? `Gatehouse (${config.env})`
      : `Gatehouse (${config.env}) is listening on ${address.hostname}:${address.port}`,
    "",
    ...served.map(({ name, baseUrl }) => `  ${name.padEnd(width)}  ${baseUrl}/`),
  ];
  const off = [...platformOff(config), ...settings.flatMap((each) => each.off?.(config) ?? [])];
  if (off.length > 0) lines.push("", "Switched off:", ...off.map((line) => `  ${line}`));
  if (config.env === "development") {
    const names = served.flatMap(({ baseUrl }) => new URL(baseUrl).hostname)
      .filter((name) => name.endsWith(".localhost"));
    lines.push(
      "",
      "If these names do not resolve, add this line to /etc/hosts:",
      `  127.0.0.1 ${names.join(" ")}`,
    );
  }
  return lines.join("\n") + "\n";
}

function platformOff(config: Config): string[] {
  const off: string[] = [];
  if (config.store.readOnly) off.push("all changes: READ_ONLY is 1");
  if (config.mail.transport === "outbox") {
    off.push(
      "sending mail: MAIL_TRANSPORT is outbox; read mail at /dev/outbox, links are printed here",
    );
  }
  if (config.kvPath === ":memory:") {
    off.push("keeping data after a restart: KV_PATH is :memory:");
  }
  if (config.streamClientLimit === 0 && config.surfaceHosts.api !== undefined) {
    off.push("live streams of chains: STREAM_CLIENT_LIMIT is 0");
  }
  if (config.env === "production") off.push("the workbench and /dev: APP_ENV is production");
  return off;
}
