import { z } from "zod";

/** How an SMTP server is reached. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, rather than by STARTTLS. */
  secure: boolean;
  auth?: { user: string; pass: string };
}

/**
 * `SMTP_URL`: `smtp://user:password@host:port` for plain and STARTTLS (port 587 unless named), or
 * `smtps://…` for TLS from the start (465). User and password are percent-encoded, and may both be
 * missing. Its error never repeats the value, in which the password stands.
 *
 * @example
 * ```ts
 * smtpUrl.parse("smtp://site:s%40cret@mail.example").port; // 587
 * ```
 */
export const smtpUrl = z.string().transform((value, ctx): SmtpServer => {
  const server = parse(value);
  if (server !== undefined) return server;
  ctx.addIssue({
    code: "custom",
    message: "smtp://user:password@host:port, or smtps://…, without anything behind it",
  });
  return z.NEVER;
});

function parse(value: string): SmtpServer | undefined {
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
