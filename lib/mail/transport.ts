import { z } from "zod";
import { createHttpTransport, mailApiUrl } from "./http.ts";
import type { MailTransport } from "./mail.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createSmtpTransport } from "./smtp.ts";
import { smtpUrl } from "./smtp_url.ts";

/** Which transport, and what it needs (design, section 5: `MAIL_TRANSPORT`). */
export interface TransportConfig {
  transport: "outbox" | "smtp" | "http";
  /** `SMTP_URL`, for `smtp`. */
  smtpUrl?: string;
  /** `MAIL_API_URL`, for `http`. */
  apiUrl?: string;
  /** `MAIL_API_KEY`, for `http`. */
  apiKey?: string;
}

export interface TransportDeps {
  fetch: typeof fetch;
  /** Shows a line on the terminal; the outbox alone uses it. */
  print: (line: string) => void;
}

// What can stand in a header.
const bearerToken = z.string().regex(/^[\x21-\x7e]+$/);

const complete = z.discriminatedUnion("transport", [
  z.object({ transport: z.literal("outbox") }),
  z.object({ transport: z.literal("smtp"), smtpUrl }),
  z.object({ transport: z.literal("http"), apiUrl: mailApiUrl, apiKey: bearerToken }),
]);

/**
 * Makes the configured transport. Nothing is opened before the first mail. Tell the outbox from
 * the others by its `name`.
 *
 * @throws {TypeError} when something that the transport needs is missing or malformed; the text
 * names it without its value
 *
 * @example
 * ```ts
 * const transport = createTransport({ transport: "outbox" }, { fetch, print: console.log });
 * if (transport.name === "outbox") transport.list();
 * ```
 */
export function createTransport(
  config: TransportConfig,
  { fetch, print }: TransportDeps,
): Outbox | MailTransport & { name: "smtp" | "http" } {
  const parsed = complete.safeParse(config);
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join("."));
    throw new TypeError(`The mail transport's settings are malformed: ${names.join(", ")}.`);
  }
  switch (parsed.data.transport) {
    case "outbox":
      return createOutbox({ print });
    case "smtp":
      return createSmtpTransport({ server: parsed.data.smtpUrl });
    case "http":
      return createHttpTransport({ url: parsed.data.apiUrl, key: parsed.data.apiKey, fetch });
  }
}
