import type { Secrets } from "../../../base/secrets.ts";
import type { Count } from "../../../platform/telemetry/mod.ts";
import type { DerivedValues } from "../../../platform/kv/mod.ts";
import type { Surfaces } from "../../../platform/surfaces/mod.ts";
import type { Operators } from "../../operators/mod.ts";
import type { PasskeysOf } from "../kinds.ts";
import type { PasskeyNotices } from "./mails.ts";
import type { OperatorPasskey } from "./tables.ts";

/** The services that passkeys of operators need. */
export interface PasskeyDeps extends PasskeysOf<OperatorPasskey> {
  secrets: Secrets;
  count: Count;
  surfaces: Surfaces;
  operators: Operators;
  /** The operators without a passkey, by the name of their console. */
  derived: DerivedValues;
  notices: PasskeyNotices;
  /** True if operators of this deployment need a passkey. */
  required: boolean;
}
