/** Chooses how mail is sent: SMTP, an HTTP API, or the outbox in memory for development. */
import { createHttpTransport } from "./http.ts";
import type { MailTransport, OutgoingMail } from "./mail.ts";
import { createSmtpTransport, smtpUrl } from "./smtp.ts";
import type { MailConfig } from "./variables.ts";

/** The configured transport and its validated settings. */
export type TransportConfig = Omit<MailConfig, "senders">;

interface TransportDeps {
  fetch: typeof fetch;
  /** Waits before the mail API is called again. */
  pause?: (ms: number) => Promise<void>;
  /** Prints a line on the terminal, for the outbox. */
  print: (line: string) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** Creates the configured transport. It opens no connections before the first mail. */
export function createTransport(
  config: TransportConfig,
  { fetch, pause, print, clock }: TransportDeps,
): DevOutbox | MailTransport & { name: "smtp" | "http" } {
  const { transport, apiUrl = "", apiKey = "" } = config;
  switch (transport) {
    case "outbox":
      return createDevOutbox({ print, clock });
    case "smtp":
      return createSmtpTransport({ server: smtpUrl.parse(config.smtpUrl), helo: config.smtpHelo });
    case "http":
      return createHttpTransport({ url: apiUrl, key: apiKey, fetch, pause });
  }
}

/** A mail in the outbox, with when it was sent (ISO 8601 in UTC) and the first link in it. */
export type DevOutboxMail = OutgoingMail & { at: string; link?: string };

/** The transport for development, which keeps mails in memory. */
export interface DevOutbox extends MailTransport {
  readonly name: "outbox";
  /** Returns the last mails, newest first. */
  list(): readonly DevOutboxMail[];
}

interface DevOutboxOptions {
  /** Prints a line on the terminal. */
  print: (line: string) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** How many mails are kept. Default: 100. */
  keep?: number;
}

const LINK = /https?:\/\/[^\s<>"\p{C}]+/u;

export function createDevOutbox({ print, clock, keep = 100 }: DevOutboxOptions): DevOutbox {
  let mails: readonly DevOutboxMail[] = [];
  return {
    name: "outbox",
    send(mail) {
      const link = LINK.exec(mail.text)?.[0];
      const at = new Date(clock()).toISOString();
      mails = [{ ...mail, at, link }, ...mails].slice(0, keep);
      print(`${mail.subject}: ${link ?? "see /dev/outbox"}`);
      return Promise.resolve();
    },
    list: () => mails,
  };
}
