/** Sends mail through an SMTP server, the transport `smtp`, and checks its settings. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { mailSender } from "./address.ts";
import { MailError, type MailFailure, type MailTransport } from "./mail.ts";
import { isLoopback } from "../../base/loopback.ts";
import { bounceOf, replyCode } from "./status.ts";

interface SmtpServer {
  host: string;
  port: number;
  /** Implicit TLS instead of STARTTLS. */
  secure: boolean;
  auth?: { user: string; pass: string };
}

export interface SmtpOptions {
  server: SmtpServer;
  /** The name in the greeting; see {@linkcode smtpHelo}. */
  helo?: string;
  /** A certificate authority to trust instead of the usual ones, as PEM. */
  ca?: string;
  /** Timeout for each step while the server sends nothing. */
  stepTimeoutMs?: number;
  /** Timeout for one mail, including the wait for a connection. */
  timeoutMs?: number;
}

/**
 * Creates a transport that sends through an SMTP server (RFC 5321) over up to three connections.
 *
 * TLS is used if the server offers it (STARTTLS, RFC 3207), and its certificate is always verified.
 * Passwords never leave this machine without TLS. A server on this machine without a password is
 * used without TLS, because no public authority issues certificates for `localhost`.
 */
export function createSmtpTransport(options: SmtpOptions): MailTransport & { name: "smtp" } {
  const { timeoutMs = MINUTE_MS } = options;
  let pool: ReturnType<typeof createPool> | undefined;
  return {
    name: "smtp",
    async send({ id, from, returnTo, to, replyTo, subject, text, html, automatic = true }) {
      try {
        const sender = mailSender.parse(from);
        pool ??= createPool(options);
        await (await pool).sendMail({
          messageId: id && `<${id}@${sender.address.split("@")[1]}>`,
          from: sender,
          // As objects, so that an address is never parsed as a list.
          to: { name: "", address: to },
          ...returnTo === undefined ? {} : { envelope: { from: returnTo, to } },
          replyTo: replyTo === undefined ? undefined : { name: "", address: replyTo },
          subject,
          text,
          html,
          // Suppresses automatic replies (RFC 3834, 5).
          headers: automatic ? { "Auto-Submitted": "auto-generated" } : {},
          xMailer: false,
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch (error) {
        throw new MailError(failureOf(error), replyCode((error as NodemailerError).response ?? ""));
      }
    },
    // If the pool could not be created, `send` has reported it.
    close: (options) => void pool?.then((pool) => pool.close(options), () => {}),
  };
}

/** Loads a large library, which only SMTP needs. */
async function createPool(options: SmtpOptions) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    idleTimeout: 30 * SECOND_MS,
    ...connectionOptions(options),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function connectionOptions(
  { server, helo, ca, stepTimeoutMs = 10 * SECOND_MS }: Omit<SmtpOptions, "timeoutMs">,
) {
  const local = isLoopback(server.host);
  return {
    ...server,
    // Otherwise the library asks for the name of the machine, which it has no permission to read.
    name: helo,
    requireTLS: server.auth !== undefined && !local,
    ignoreTLS: server.auth === undefined && local,
    tls: { ca, rejectUnauthorized: true },
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    socketCloseTimeout: 500,
  };
}

/**
 * Connects to an SMTP server as the transport does, with TLS and the password, and sends no mail.
 *
 * @returns null if the server is ready to accept mail
 */
export async function checkSmtp(
  { signal, ...options }: Omit<SmtpOptions, "timeoutMs"> & { signal: AbortSignal },
): Promise<MailFailure | null> {
  const { default: SmtpConnection } = await import("nodemailer/lib/smtp-connection");
  const connection = new SmtpConnection(connectionOptions(options));
  const ended = Promise.withResolvers<MailFailure | null>();
  const fail = (error: unknown) => ended.resolve(failureOf(error));
  const abort = () => ended.resolve("timeout");
  connection.on("error", fail);
  connection.on("end", () => ended.resolve("connection_failed"));
  signal.addEventListener("abort", abort);
  const { auth } = options.server;
  connection.connect((error?: unknown) => {
    if (error) return fail(error);
    if (auth === undefined) return ended.resolve(null);
    connection.login({ credentials: auth }, (error) => error ? fail(error) : ended.resolve(null));
  });
  if (signal.aborted) abort();
  const failure = await ended.promise;
  signal.removeEventListener("abort", abort);
  if (failure === null) connection.quit();
  else connection.close();
  return failure;
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

/** Maps the codes of nodemailer's errors. Texts never leave this module, because they repeat addresses. */
function failureOf(error: unknown): MailFailure {
  const { code = "", originalCode = "", command, responseCode = 0, response = "" } =
    error as NodemailerError;
  // Replies from 400 to 499 are temporary failures, such as greylisting (RFC 5321, 4.2.1).
  if (responseCode >= 400 && responseCode < 500) return "deferred";
  if (code === "EENVELOPE" && command === "MAIL FROM") return "sender_refused";
  // The server of a recipient may have chosen the code and the text, so they say nothing about other mails.
  const bounce = responseCode >= 500 ? bounceOf(response) : undefined;
  if (bounce === "block") return "policy_refused";
  if (code === "EENVELOPE" && command === "RCPT TO") {
    return bounce === "soft" ? "recipient_unavailable" : "recipient_refused";
  }
  // TLS errors are socket errors with codes such as CERT_HAS_EXPIRED; others have codes such as
  // ECONNRESET.
  if (code === "ESOCKET" && originalCode.includes("_")) return "tls_failed";
  return FAILURES[code] ?? "unexpected";
}

interface NodemailerError {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
  /** The lines of the server's reply. */
  response?: string;
}

/**
 * Parses `SMTP_URL`: `smtp://user:password@host:port` for plain SMTP and STARTTLS (default port
 * 587), or `smtps://…` for TLS from the start (465). The user and password are percent-encoded;
 * both may be omitted. The error never repeats the value, which contains the password.
 *
 * @example
 * ```ts
 * smtpUrl.parse("smtp://site:s%40cret@mail.example").port; // 587
 * ```
 */
export const smtpUrl = z.string().transform((value, ctx): SmtpServer => {
  const server = parseServer(value);
  if (server !== undefined) return server;
  ctx.addIssue({
    code: "custom",
    message: "smtp://user:password@host:port, or smtps://…, without anything behind it",
  });
  return z.NEVER;
});

/**
 * Checks the name with which a client greets a server (RFC 5321, 4.1.1.1): a fully qualified host name,
 * or an address such as `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
 */
export const smtpHelo = z.string().max(253).refine(
  (name) => HOST_NAME.test(name) || isAddressLiteral(name),
  "a host name such as site.example",
);

const LABEL = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;
const HOST_NAME = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "i");

function isAddressLiteral(name: string): boolean {
  const [, ipv6, address] = /^\[(IPv6:)?([^\]]+)\]$/.exec(name) ?? [];
  return address !== undefined && isIP(address) === (ipv6 === undefined ? 4 : 6);
}

/** Returns the name with which to greet servers for mail from an address: its domain, in ASCII. */
export function heloOf(address: string): string | undefined {
  const helo = smtpHelo.safeParse(domainToASCII(address.slice(address.lastIndexOf("@") + 1)));
  return helo.success ? helo.data : undefined;
}

function parseServer(value: string): SmtpServer | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(value);
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  if (hostname === "" || !/^\/?$/.test(pathname) || search + hash !== "") return undefined;
  if ((username === "") !== (password === "")) return undefined;
  const secure = protocol === "smtps:";
  const server = {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
  };
  if (username === "") return server;
  try {
    const [user, pass] = [username, password].map(decodeURIComponent);
    return { ...server, auth: { user, pass } };
  } catch {
    return undefined;
  }
}
