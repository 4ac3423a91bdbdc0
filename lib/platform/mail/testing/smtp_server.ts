/** A real SMTP server for tests, with TLS, which keeps the mails that it receives. */
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { type ParsedMail, parseMail } from "./mime.ts";

interface ReceivedMail extends ParsedMail {
  raw: string;
  /** The envelope sender. */
  sender: string;
  recipients: string[];
  /** True if it was sent over TLS. */
  secure: boolean;
  /** The user that the client authenticated as. */
  user?: string;
}

export interface TestSmtpServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
}

const read = (name: string) => Deno.readTextFileSync(new URL(name, import.meta.url));

/** The certificate authority that signed the test certificate for `localhost` and 127.0.0.1. */
export const TEST_CA = read("ca.pem");

/**
 * Starts an SMTP server on a free port. It accepts the user `site` with the password `s@cret:`, and
 * refuses mails to `nobody@…`.
 */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key: read("key.pem"),
    cert: read("cert.pem"),
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth({ username, password }, _session, done) {
      const right = username === "site" && password === "s@cret:";
      done(right ? null : new Error(`no such user ${username}`), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith("nobody@") ? new Error(`no mailbox ${address}`) : null);
    },
    async onData(stream, { envelope, secure, user }, done) {
      const raw = await text(stream);
      received.push({
        ...parseMail(raw),
        raw,
        sender: envelope.mailFrom ? envelope.mailFrom.address : "",
        recipients: envelope.rcptTo.map(({ address }) => address),
        secure,
        user: user?.toString(),
      });
      done();
    },
    ...options,
  });
  // Clients that do not trust our certificate disconnect.
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.server.address() as { port: number }).port,
    received,
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}
