/**
 * Serves a store over KV Connect, for processes of the site that share it. It speaks the protocol of
 * `denokv`, and can be as slow and unreliable as a network. The store is in memory; with `--journal=<file>`
 * it survives the process.
 *
 *     deno run -A --frozen --lock=dev.lock lib/platform/kv/testing/connect/main.ts --port=4512 \
 *       --token=access-token --delay-ms=50 --lost=0.15
 *     KV_PATH=http://127.0.0.1:4512 DENO_KV_ACCESS_TOKEN=access-token PORT=8001 deno task serve
 *
 * The options are those of {@link serveConnect}. `--lost` is the share of responses to commits that are lost
 * ({@link losing}). SIGHUP ends all watches.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { onStopSignal } from "../../../stop.ts";
import { losing } from "./network.ts";
import { serveConnect } from "../connect_server.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4512" },
    token: { type: "string" },
    seed: { type: "string" },
    journal: { type: "string" },
    "delay-ms": { type: "string", default: "0" },
    lost: { type: "string", default: "0" },
    late: { type: "string", default: "0" },
    "late-ms": { type: "string", default: "1000" },
    repeated: { type: "string", default: "0" },
  },
});
const lost = Number(values.lost);

const server = serveConnect({
  port: Number(values.port),
  token: values.token,
  seed: values.seed,
  journal: values.journal,
  drops: lost > 0,
  delayMs: Number(values["delay-ms"]),
  ...losing(lost),
  late: Number(values.late),
  lateMs: Number(values["late-ms"]),
  repeated: Number(values.repeated),
});
console.log(`KV_PATH=${server.url} DENO_KV_ACCESS_TOKEN=${server.token}`);
Deno.addSignalListener("SIGHUP", server.dropWatches);
onStopSignal(() => {
  console.log(`${server.commits} commits`);
  Deno.exit();
});
