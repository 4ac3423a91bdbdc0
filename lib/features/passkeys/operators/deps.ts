import type { Secrets } from "../../base/secrets.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import type { Operators } from "../operators/mod.ts";
import type { RelyingParty } from "../webauthn/mod.ts";
import type { PasskeyNotices } from "./mails.ts";

/** The services that passkeys of operators need. */
export interface PasskeyDeps {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  mailer: Mailer;
  log: (entry: Record<string, unknown>) => void;
  count: Count;
  surfaces: Surfaces;
  operators: Operators;
  notices: PasskeyNotices;
  /** Returns a console as authenticators know it. */
  partyOf(surface: Surface): RelyingParty;
}
