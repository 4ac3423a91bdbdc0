import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { type ParsedMail, parseMail } from "./mime.ts";

/** What arrived, as the server saw it. */
export interface ReceivedMail extends ParsedMail {
  /** As it came over the wire. */
  raw: string;
  /** The envelope's. */
  sender: string;
  recipients: string[];
  /** Whether it came over TLS. */
  secure: boolean;
  /** As whom the client had signed in. */
  user?: string;
}

export interface TestSmtpServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
}

const read = (name: string) => Deno.readTextFileSync(new URL(name, import.meta.url));

/** The authority that vouches for `localhost` and 127.0.0.1; it exists for these tests alone. */
export const TEST_CA = read("ca.pem");

/**
 * A real SMTP server on a free port of this machine. It lets `site` in with `s@cret:`, and refuses
 * mails to `nobody@…`.
 */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key: read("key.pem"),
    cert: read("cert.pem"),
    authOptional: true,
    // The name of a client is not looked up.
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
  // A client that does not believe our certificate hangs up.
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.server.address() as { port: number }).port,
    received,
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}
