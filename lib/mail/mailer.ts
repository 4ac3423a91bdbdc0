import { whenUnlocked } from "../kv/mod.ts";
import { mailSender } from "./address.ts";
import { checkMail, type Mail, MailError, type MailTransport } from "./mail.ts";

/** Sends the site's mails in the background. */
export interface Mailer {
  /**
   * Queues a mail and returns at once. It never throws, so neither a response nor its timing reveals
   * anything about the delivery.
   */
  post(mail: Mail): void;
  /**
   * Posts a mail once it is prepared, unless it is null. `flush` and `close` wait for the preparation
   * too.
   */
  postPrepared(mail: Promise<Mail | null>): void;
  /** Resolves when every posted mail has been sent or has failed. */
  flush(): Promise<void>;
  /** Flushes, then closes the transport. */
  close(): Promise<void>;
}

export interface MailerOptions {
  transport: MailTransport;
  /** `Name <address>` or the address alone. */
  from: string;
  log: (entry: Record<string, unknown>) => void;
  /** Called for each failed mail, after it was logged. */
  onFailure: () => void | Promise<void>;
}

/**
 * Creates the mailer of a transport. A failed mail is logged as
 * `{level: "error", event: "mail_failed", transport, reason}`, where `reason` is a `MailFailure`. The
 * server's reply is not logged, because it often repeats the address.
 *
 * @throws {TypeError} if `from` is not a sender
 */
export function createMailer({ transport, from, log, onFailure }: MailerOptions): Mailer {
  if (!mailSender.safeParse(from).success) throw new TypeError("The sender of mails is malformed.");
  const inFlight = new Set<Promise<void>>();

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
    // The failure is logged by now. Failing to count it must not end the process.
    const delivery = mail.then(deliver).catch(() => {}).finally(() => inFlight.delete(delivery));
    inFlight.add(delivery);
  }

  async function flush(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight);
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

const FAILURE_COUNT = ["stats", "mail_failed"];

/** Adds one failed mail to the count (design, section 6: `["stats", name]`). */
export async function countMailFailure(kv: Deno.Kv): Promise<void> {
  await whenUnlocked(() => kv.atomic().sum(FAILURE_COUNT, 1n).commit());
}

/** Returns how many mails have ever failed. */
export async function readMailFailures(kv: Deno.Kv): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(FAILURE_COUNT);
  return Number(value?.value ?? 0n);
}
