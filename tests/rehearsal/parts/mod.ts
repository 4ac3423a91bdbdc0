/** The parts of the rehearsal, in their order. */
import type { Part } from "../steps.ts";
import { deployment } from "./deployment.ts";
import { backups, firstDays, install } from "./install.ts";
import { keys } from "./keys.ts";
import { newFormat } from "./new_format.ts";
import { restore } from "./restore.ts";
import { witness } from "./witness.ts";

export const PARTS: readonly Part[] = [
  install,
  firstDays,
  backups,
  deployment,
  newFormat,
  restore,
  keys,
  witness,
];
