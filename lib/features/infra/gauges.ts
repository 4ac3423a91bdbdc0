import { gauge, type ReadGauges, sample } from "../../platform/telemetry/mod.ts";
import { readHealth } from "./health_job.ts";
import { CERTIFICATES, type HealthKind } from "./readings.ts";

const backupAge = gauge(
  "backup_age_seconds",
  "Time since the last backup that is known.",
  {},
);
const clockOffset = gauge(
  "clock_offset_seconds",
  "How far the clock of the bank or the mail API is ahead of this machine's.",
  {},
);
const certificateDays = gauge(
  "certificate_days",
  "Days until the first of the hosts' certificates expires; only in production.",
  {},
);

export const HEALTH_METRICS = [backupAge, clockOffset, certificateDays];

/** Reads the last readings of any process. */
export const healthGauges = ({ kv }: { kv: Deno.Kv }): ReadGauges => async () => {
  const readings = (await readHealth(kv))?.readings ?? [];
  const values = (...kinds: readonly HealthKind[]) =>
    readings.flatMap((one) => kinds.includes(one.kind) && one.value !== null ? [one.value] : []);
  const [age] = values("backup_old");
  const [offset] = values("clock_off");
  const days = values(...CERTIFICATES);
  return [
    ...age === undefined ? [] : [sample(backupAge, age, {})],
    ...offset === undefined ? [] : [sample(clockOffset, offset, {})],
    ...days.length === 0 ? [] : [sample(certificateDays, Math.min(...days), {})],
  ];
};
