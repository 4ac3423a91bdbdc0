/** The state of the services as the public status page shows it, without internal details. */
import { LOG_NODE } from "./map.ts";
import type { Check, Checks } from "./monitor.ts";

/** `checking` until the first check has ended. */
export type PublicState = Check["state"] | "checking";

/** The state of one service, as visitors see it: no addresses, providers, latencies or errors. */
interface PublicService {
  name: string;
  /** The functions that work while it responds. */
  purpose: string;
  state: PublicState;
}

/** The state of the services, as anybody may see it. */
export interface PublicStatus {
  /** The worst state of the services. */
  state: PublicState;
  services: PublicService[];
  /** When the oldest of the results was obtained, ISO 8601; null before the first. */
  checkedAt: string | null;
}

/** The services that visitors and holders depend on, by the name of their probe. */
const SERVICES: { probe: string; name: string; purpose: string }[] = [
  {
    probe: "store",
    name: "Records",
    purpose: "Reading chains, documents and requests for access.",
  },
  { probe: "sessions", name: "Sign-in", purpose: "Starting a session, and registering a record." },
  { probe: "signing-key", name: "Signatures", purpose: "Signing the heads of chains." },
  { probe: LOG_NODE, name: "Public log", purpose: "Logging what happens to records." },
  { probe: "documents", name: "Document files", purpose: "Showing and downloading documents." },
  { probe: "mail", name: "Mail", purpose: "Sign-in links, confirmations and notices." },
  { probe: "codes", name: "Codes", purpose: "One-time codes by SMS and call." },
];

const WORST: PublicState[] = ["down", "slow", "checking", "up"];

/**
 * Returns what the public page shows: the services that this deployment has, with their states.
 *
 * @param probes the names of all probes
 */
export function publicStatus(
  checks: Checks,
  probes: readonly string[],
): PublicStatus {
  const shown = SERVICES.filter(({ probe }) => probes.includes(probe));
  const services = shown.map(({ probe, name, purpose }) => ({
    name,
    purpose,
    state: checks.get(probe)?.state ?? "checking" as const,
  }));
  const times = shown.flatMap(({ probe }) => checks.get(probe)?.at ?? []);
  return {
    state: WORST.find((state) => services.some((service) => service.state === state)) ?? "up",
    services,
    checkedAt: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
}
