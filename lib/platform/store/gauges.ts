/** The metrics of the store: readiness, time of a read, size and free disk space. */
import { SECOND_MS } from "../../base/time.ts";
import { freeBytes, isFile } from "../kv/mod.ts";
import { gauge, type ReadGauges, sample } from "../telemetry/mod.ts";
import type { ReadinessCheck } from "./readiness.ts";

const ready = gauge(
  "ready",
  "1 if the process is ready to serve, as /readyz reports it; 0 if it is not.",
  {},
);
const readOnly = gauge(
  "read_only",
  "1 while READ_ONLY, a restored copy or the disk makes the process refuse writes, as /readyz reports it.",
  {},
);
const kvRead = gauge(
  "kv_read_seconds",
  "How long one read of the store has just taken.",
  {},
);
const storeBytes = gauge("store_bytes", "The size of the store's file and its log.", {});
const diskFree = gauge(
  "disk_free_bytes",
  "Free space on the file system of the store.",
  {},
);

/** The gauges of {@link storeGauges}. */
export const STORE_METRICS = [ready, readOnly, kvRead, storeBytes, diskFree];

/**
 * Returns the functions that read the gauges of the store. Those of the file are left out on other
 * stores.
 */
export const storeGauges = (
  { kv, kvPath, readiness }: {
    kv: Deno.Kv;
    kvPath: string | undefined;
    readiness: ReadinessCheck;
  },
): ReadGauges[] => [
  async () => {
    const { status } = await readiness.check();
    return [
      sample(ready, status === "not_ready" ? 0 : 1, {}),
      sample(readOnly, status === "read_only" ? 1 : 0, {}),
    ];
  },
  async () => {
    const start = performance.now();
    await kv.get(["store"]);
    return [sample(kvRead, (performance.now() - start) / SECOND_MS, {})];
  },
  async () => {
    if (!isFile(kvPath)) return [];
    const sizeOf = (path: string) => Deno.stat(path).then(({ size }) => size, () => 0);
    const [file, log] = await Promise.all([sizeOf(kvPath), sizeOf(`${kvPath}-wal`)]);
    const free = await freeBytes(kvPath);
    return [
      sample(storeBytes, file + log, {}),
      ...free === undefined ? [] : [sample(diskFree, free, {})],
    ];
  },
];
