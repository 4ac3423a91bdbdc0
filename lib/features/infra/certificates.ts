/** Reads when the TLS certificates of the deployment's hosts expire. */
import { connect } from "node:tls";
import { createSlots } from "../../base/slots.ts";
import { SECOND_MS } from "../../base/time.ts";

/** A certificate that a host showed. */
export interface Certificate {
  host: string;
  /** When it expires, ISO 8601; null if the host could not be reached. */
  until: string | null;
}

/** How long a host may take to show its certificate. */
const LIMIT_MS = 5 * SECOND_MS;
/** The number of hosts that are connected to at the same time. */
const CONCURRENT = 4;

/**
 * Connects to hosts over TLS, and returns when their certificates expire. Nothing is sent, and
 * certificates that this machine does not trust are read too.
 *
 * @param origins such as `https://trust.example`
 */
export async function readCertificates(
  origins: readonly string[],
  signal: AbortSignal,
  address?: string,
): Promise<Certificate[]> {
  const slots = createSlots(CONCURRENT);
  return await Promise.all(
    origins.map((origin) => slots.run(() => readCertificate(new URL(origin), signal, address))),
  );
}

/** @param address where to connect to, if not to the host itself; for tests */
function readCertificate(
  { hostname, host, port }: URL,
  signal: AbortSignal,
  address = hostname,
): Promise<Certificate> {
  return new Promise((resolve) => {
    const end = (until: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.destroy();
      resolve({ host, until });
    };
    const stop = () => end(null);
    const timer = setTimeout(stop, LIMIT_MS);
    const socket = connect({
      host: address,
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false, // only the date is read
    }, () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until) ? null : new Date(until).toISOString());
    });
    socket.on("error", stop);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
}
