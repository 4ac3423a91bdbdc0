import type { Surface } from "../../../platform/surfaces/mod.ts";
import type { Count } from "../../../platform/telemetry/mod.ts";
import type { HolderPasskey, PasskeysOf } from "../../passkeys/mod.ts";
import type { Holder } from "../sessions/table.ts";
import type { Reader } from "../access_log/access_log.ts";
import type { Notices } from "../notices/notices.ts";

/** A holder's request that concerns passkeys. */
export interface HolderRequest extends Holder {
  surface: Surface;
  reader: Reader;
}

/** The dependencies of the passkeys of records. */
export interface PasskeyOptions extends PasskeysOf<HolderPasskey> {
  notices: Notices;
  count?: Count;
}

/** The account of a record as password managers show it. */
export const accountName = (hash: string): string => `Record ${hash.slice(0, 8)}`;
