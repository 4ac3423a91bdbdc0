import { mailSender } from "./address.ts";
import { checkMail, type Mail, MailError, type MailTransport } from "./mail.ts";

/** Where the site's mails are handed over. */
export interface Mailer {
  /**
   * Hands a mail over and returns at once; it never throws. Whoever asked for the mail learns
   * nothing of its delivery, neither by the answer nor by the time that it takes.
   */
  post(mail: Mail): void;
  /**
   * Posts a mail once it has been prepared; null when there is none to send. `flush` and `close`
   * wait for the preparation too.
   */
  postPrepared(mail: Promise<Mail | null>): void;
  /** Resolves when every mail that was handed over has been sent or has failed. */
  flush(): Promise<void>;
  /** Flushes, then closes the transport: for the end of the process. */
  close(): Promise<void>;
}

export interface MailerOptions {
  transport: MailTransport;
  /** `Name <address>` or the address alone. */
  from: string;
  log: (entry: Record<string, unknown>) => void;
  /** Called once for each mail that failed, after its line in the log. */
  onFailure: () => void | Promise<void>;
}

/**
 * Makes the mailer of a transport. A mail that fails leaves one line in the log,
 * `{level: "error", event: "mail_failed", transport, reason}`, whose `reason` is a `MailFailure`.
 * What the other side answered stays out of it, since it often repeats the address.
 *
 * @throws {TypeError} when `from` is no sender
 *
 * @example
 * ```ts
 * const mailer = createMailer({ transport, from, log, onFailure: () => countMailFailure(kv) });
 * mailer.post({ to, subject, text, html });
 * ```
 */
export function createMailer({ transport, from, log, onFailure }: MailerOptions): Mailer {
  if (!mailSender.safeParse(from).success) throw new TypeError("The mails' sender is malformed.");
  const underWay = new Set<Promise<void>>();

  async function deliver(mail: Mail | null): Promise<void> {
    if (mail === null) return;
    try {
      await transport.send({ ...checkMail(mail), from });
    } catch (error) {
      const reason = error instanceof MailError ? error.code : "unexpected";
      log({ level: "error", event: "mail_failed", transport: transport.name, reason });
      await onFailure();
    }
  }

  function postPrepared(mail: Promise<Mail | null>): void {
    // The failure is in the log by now; that it could not be counted must not end the process.
    const delivery = mail.then(deliver).catch(() => {}).finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  }

  async function flush(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    post: (mail) => postPrepared(Promise.resolve(mail)),
    postPrepared,
    flush,
    async close() {
      await flush();
      transport.close?.();
    },
  };
}
