/** The rate limits of passkey requests, per client address, owner and session. */
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineLimit, type SlidingWindow } from "../../platform/kv/mod.ts";

/** How long requests for options of sign-ins are counted. */
export const OPTIONS_WINDOW_MS = 10 * MINUTE_MS;
/** How long changes of an owner, and confirmations of a session, are counted. */
export const OWNER_WINDOW_MS = HOUR_MS;

/** The label of the text about challenges and limits on the privacy page. */
export const REQUESTS = "Requests for passkeys";

/** Options for one client. The sign-in page requests them whenever it is opened. */
const CLIENT = { limit: 100, windowMs: OPTIONS_WINDOW_MS, approximate: true } as const;
/** The actions of one owner, such as attempts to add a passkey, each of which stores a challenge. */
const OWNER = { limit: 30, windowMs: OWNER_WINDOW_MS } as const;

const ofRecords = { section: "record", label: REQUESTS } as const;
const ofConsoles = { section: "consoles", label: REQUESTS } as const;

/** The limits that the passkeys of each kind of owner have. */
export type KindLimits = typeof HOLDER_LIMITS;

export const HOLDER_LIMITS = {
  client: defineLimit({
    ...CLIENT,
    name: "passkey_client",
    per: "network that opens the sign-in page of records",
    privacy: ofRecords,
  }),
  owner: defineLimit({
    ...OWNER,
    name: "passkey_record",
    per: "record that requests passkeys",
    privacy: ofRecords,
  }),
};

export const OPERATOR_LIMITS = {
  client: defineLimit({
    ...CLIENT,
    name: "operator_passkey_client",
    per: "network that opens the sign-in page of a console",
    privacy: ofConsoles,
  }),
  owner: defineLimit({
    ...OWNER,
    name: "operator_passkey_changes",
    per: "operator who changes passkeys",
    privacy: ofConsoles,
  }),
  resets: defineLimit({
    ...OWNER,
    name: "operator_passkey_resets",
    per: "operator who resets the passkeys of others",
    privacy: ofConsoles,
  }),
  /** How often a session asks to use a passkey. Other sessions do not count towards it. */
  confirmations: defineLimit({
    limit: 120,
    windowMs: OWNER_WINDOW_MS,
    name: "operator_passkey_confirmations",
    per: "session of an operator that asks for a passkey",
    privacy: ofConsoles,
  }),
};

/** Returns the window of a client. */
export const clientWindow = ({ client }: KindLimits, clientAddress: string): SlidingWindow =>
  client.of([sha256(addressKey(clientAddress))]);
