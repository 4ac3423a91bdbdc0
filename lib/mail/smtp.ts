import { createTransport as createNodemailer } from "nodemailer";
import { mailSender } from "./address.ts";
import { MailError, type MailFailure, type MailTransport } from "./mail.ts";
import type { SmtpServer } from "./smtp_url.ts";

export interface SmtpOptions {
  server: SmtpServer;
  /** The certificate authority to believe instead of the usual ones, as PEM. */
  ca?: string;
  /** How long one step may take in which the server says nothing. */
  stepTimeoutMs?: number;
  /** How long a mail may take altogether, its place in the queue included. */
  timeoutMs?: number;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Sends through an SMTP server (RFC 5321), over a few connections that are kept for a while.
 *
 * TLS is used wherever the server offers it (STARTTLS, RFC 3207), and its certificate is always
 * verified. A password never leaves this machine without TLS. A server on this machine that asks
 * for no password is spoken to without, since nobody vouches for the name `localhost`.
 *
 * @example
 * ```ts
 * const transport = createSmtpTransport({ server: smtpUrl.parse("smtp://u:p@mail.example:587") });
 * ```
 */
export function createSmtpTransport(options: SmtpOptions): MailTransport & { name: "smtp" } {
  const { server, ca, stepTimeoutMs = 10_000, timeoutMs = 60_000 } = options;
  const local = LOOPBACK.test(server.host);
  const pool = createNodemailer({
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    idleTimeout: 30_000,
    ...server,
    requireTLS: server.auth !== undefined && !local,
    ignoreTLS: server.auth === undefined && local,
    tls: { ca, rejectUnauthorized: true },
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    socketCloseTimeout: 500,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: "smtp",
    async send({ from, to, replyTo, subject, text, html }) {
      try {
        await pool.sendMail({
          from: mailSender.parse(from),
          // As objects, so that nothing in an address is read as a list of them.
          to: { name: "", address: to },
          replyTo: replyTo === undefined ? undefined : { name: "", address: replyTo },
          subject,
          text,
          html,
          // So that nobody's holiday notice answers (RFC 3834, 5).
          headers: { "Auto-Submitted": "auto-generated" },
          xMailer: false,
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch (error) {
        throw new MailError(failureOf(error));
      }
    },
    close: () => pool.close({ force: true }),
  };
}

const FAILURES: Record<string, MailFailure> = {
  EABORT: "timeout",
  ETIMEDOUT: "timeout",
  ECONNECTION: "connection_failed",
  EDNS: "connection_failed",
  ESOCKET: "connection_failed",
  ETLS: "tls_failed",
  EPROTOCOL: "protocol_error",
  EAUTH: "auth_failed",
  ENOAUTH: "auth_failed",
  EENVELOPE: "message_refused",
  EMESSAGE: "message_refused",
};

/** What went wrong, from the codes that nodemailer gives its errors; never from their texts. */
function failureOf(error: unknown): MailFailure {
  const { code = "", originalCode = "", command } = error as NodemailerCodes;
  if (code === "EENVELOPE" && command === "RCPT TO") return "recipient_refused";
  if (code === "EENVELOPE" && command === "MAIL FROM") return "sender_refused";
  // TLS errors come as the socket's: CERT_HAS_EXPIRED, ERR_SSL_…; its own are like ECONNRESET.
  if (code === "ESOCKET" && originalCode.includes("_")) return "tls_failed";
  return FAILURES[code] ?? "unexpected";
}

interface NodemailerCodes {
  code?: string;
  originalCode?: string;
  command?: string;
}
