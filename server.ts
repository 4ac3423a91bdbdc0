import { ConfigError, parseConfig } from "./lib/config.ts";
import { openKv } from "./lib/kv/mod.ts";
import { createServices } from "./lib/services.ts";
import { onStop } from "./lib/stop.ts";
import { createApp } from "./main.ts";

/** The site as the environment configures it: what is opened for it is closed when it stops. */
const config = parseConfig(Deno.env.toObject());
const kv = await openKv(config.kvPath).catch((error) => {
  throw new ConfigError([`KV_PATH: should be a store that can be opened (${error.message})`]);
});
const services = createServices(config, kv);
onStop(services.close);

export const app = createApp(services);
