import type { Qualification } from "../../lib/qualifications/mod.ts";

/** Whether a qualification is current. */
export function StatusPill({ status }: Pick<Qualification, "status">) {
  return status === "current"
    ? <span class="pill good">Current</span>
    : <span class="pill warn">Superseded</span>;
}
