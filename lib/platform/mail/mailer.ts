/** Queues mails with the change that causes them, and sends them until a server has taken them. */
import {
  type Attempt,
  createOutbox,
  type Delivery,
  type DeliveryFailure,
  type MessageOptions,
  type Outbox,
  type Queued,
} from "../jobs/mod.ts";
import { inTime } from "../../base/in_time.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey, SenderKey } from "../surfaces/table.ts";
import { type Count, counter } from "../telemetry/mod.ts";
import { SECOND_MS } from "../../base/time.ts";
import { mailSender, withAuthor } from "./address.ts";
import { fingerprintsOf, isUnasked } from "./addresses.ts";
import { createDomainWaits } from "./domain_waits.ts";
import type { MailKind } from "./kinds.ts";
import { organisationOfMail } from "./template.tsx";
import {
  checkMail,
  isAboutOneMail,
  isPermanent,
  type Mail,
  MailError,
  type MailFailure,
  type MailTransport,
} from "./mail.ts";
import { returnPath } from "./return_path.ts";
import { type AddToReturn, createReturns, type LostMail, type MailReport } from "./returns.ts";

/** The channel of the outbox for mail. */
export const MAIL_CHANNEL = "mail";

export type QueuedMail = Queued<Mail>;

interface MailOptions extends Pick<MessageOptions, "limits"> {
  /** When its link expires, in milliseconds since 1970; it is not sent afterwards. */
  expiresAt: number;
  /** The owner of the mail, such as `user/7`. */
  about: string;
  kind: MailKind;
  /** Milliseconds for which it can be recalled. The job sends it afterwards. Default: it is sent at once. */
  holdMs?: number;
  /** The row of the batch of documents that it belongs to. */
  row?: { batch: string; n: number };
}

/** Sends mail through the outbox. */
export interface Mailer extends Pick<Outbox<Mail>, "findLost" | "recall" | "sendAgain"> {
  /**
   * Adds a mail to the commit that causes it, so that it is sent even if the process dies. It is
   * encrypted in the store, and deleted once it has been sent or has expired. Its outcome is kept, see
   * `deliveriesTo`.
   */
  add(
    commit: Deno.AtomicOperation,
    mail: Mail,
    options: MailOptions,
  ): Promise<QueuedMail>;
  /**
   * Sends mails once their commit has succeeded, and returns at once. It never throws, so neither a
   * response nor its timing reveals anything about the delivery. `flush` and `close` wait for mails
   * that are still being prepared, too.
   */
  send(queued: readonly QueuedMail[] | Promise<readonly QueuedMail[]>): void;
  /**
   * Sends a mail once and past the store, which may be what the mail is about. Nothing retries it.
   *
   * @param id the same in every attempt, so that the receiver can detect duplicates
   */
  sendNow(mail: Mail, id: string): Promise<Delivery>;
  /**
   * Notes what was reported about a mail after it was sent. A report that comes again changes nothing.
   *
   * @returns false if no such mail is known
   */
  report(report: MailReport): Promise<boolean>;
  /**
   * The last failure of this process that was not about one mail or address, and when it was, in
   * milliseconds since 1970. Null if the server has accepted a mail since.
   */
  readonly trouble: { failure: MailFailure; at: number } | null;
  /** Sends the mails that are due: retries, and mails left by processes that died. */
  drain(signal?: AbortSignal): Promise<{ sent: number; failed: number }>;
  /** Resolves when every mail that was passed to `send` has been sent or has failed. */
  flush(): Promise<void>;
  /**
   * Flushes for at most `limitMs`, then closes the transport. The rest stays in the store.
   */
  close(limitMs: number): Promise<void>;
}

/** Prepares mails that a process left behind when it died, before the job sends the waiting ones. */
export type PrepareMail = (signal: AbortSignal) => Promise<unknown>;

/** Adds to the commit that gives a mail up. It runs again if the commit fails. */
export type AddToLoss = (commit: Deno.AtomicOperation, lost: LostMail) => void | Promise<void>;

/**
 * Learns whether the mail server accepts a sender.
 *
 * @param refusal the code of the server's reply, such as `550 5.7.1`; null if it accepted a mail
 */
export type OnSender = (sender: SenderKey, refusal: string | null) => Promise<void>;

export const mails = counter("mails", "Attempts to send mail.", {
  outcome: ["sent", "delayed", "failed"],
});

export interface MailerOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  transport: MailTransport;
  /** The sender of each organisation: `Name <address>` or the address alone. */
  senders: Record<SenderKey, string>;
  log: (entry: Record<string, unknown>) => void;
  /** Called for each mail that will not be sent, after it was logged. */
  onFailure: (sender: SenderKey | undefined) => void | Promise<void>;
  addToLoss?: AddToLoss;
  addToReturn?: AddToReturn;
  /** Returns the address to which servers report what became of mails; undefined for the senders' own. */
  returnTo?: () => string | undefined;
  /** Called after each attempt with whether the server accepts the sender, if that is known. */
  onSender?: OnSender;
  count?: Count;
}

/**
 * Creates the mailer of a transport. A failure is logged with the transport's name and a `reason`,
 * which is a `MailFailure`: as `{level: "warn", event: "mail_delayed", …, attempt, retry_seconds}`
 * if the mail will be retried, otherwise as `{level: "error", event: "mail_failed", …}`. Only the code
 * of the server's `reply` is logged, because its text often repeats the address.
 *
 * @throws {TypeError} if a sender is malformed
 */
export function createMailer(options: MailerOptions): Mailer {
  const { kv, clock, secrets, transport, senders, log, onFailure, addToLoss, count } = options;
  if (!Object.values(senders).every((from) => mailSender.safeParse(from).success)) {
    throw new TypeError("A sender of mails is malformed.");
  }
  const inPreparation = new Set<Promise<void>>();
  let trouble: Mailer["trouble"] = null;
  const returns = createReturns(options);
  const waits = createDomainWaits(clock);
  const outbox = createOutbox<Mail>({
    kv,
    clock,
    secrets,
    channel: MAIL_CHANNEL,
    deliver: deliverMessage,
    onFailure: reportFailure,
    async addToLoss(commit, { labels, ...lost }) {
      await addToLoss?.(commit, { ...lost, ...labels });
      await returns.addFailure(commit, { ...lost, ...labels }, { isFirst: false });
    },
    addToDelay: (commit, { labels, ...delayed }) =>
      returns.addFailure(commit, { ...delayed, ...labels }, { isFirst: true }),
  });

  async function deliverMessage(mail: Mail, { id, attempt, labels }: Attempt): Promise<Delivery> {
    const kind = labels.kind as MailKind | undefined;
    if (await returns.stops(mail.to, kind)) return { ok: false, error: STOPPED, permanent: true };
    // A first attempt is always made, because greylisting knows the mail only after it. A person does not wait
    // for a link because of an issuer's mails.
    const postponeMs = attempt > 1 && isUnasked(kind) ? waits.waitMs(mail.to) : 0;
    if (postponeMs > 0) return { ok: false, error: DEFERRED, postponeMs };
    return await deliver(mail, { id });
  }

  async function deliver(mail: Mail, { id }: { id: string }): Promise<Delivery> {
    try {
      const { sender, author, ...checked } = checkMail(mail);
      const from = author === undefined ? senders[sender] : withAuthor(senders[sender], author);
      const path = options.returnTo?.();
      const returnTo = path === undefined ? undefined : await returnPath(secrets, path, id);
      await transport.send({ ...checked, from, returnTo, automatic: author === undefined, id });
      trouble = null;
      waits.note(mail.to, "accepted");
      count?.(mails, { outcome: "sent" });
      await reportSender(sender, null);
      return { ok: true };
    } catch (error) {
      const { code: failure, reply } = error instanceof MailError
        ? error
        : new MailError("unexpected");
      if (failure === DEFERRED) waits.note(mail.to, "deferred");
      if (!isAboutOneMail(failure)) trouble = { failure, at: clock() };
      if (failure === "sender_refused") await reportSender(mail.sender, reply ?? "");
      return { ok: false, error: failure, permanent: isPermanent(failure), reply };
    }
  }

  async function reportSender(sender: SenderKey, refusal: string | null): Promise<void> {
    try {
      await options.onSender?.(sender, refusal);
    } catch {
      log({ level: "warn", event: "sender_not_reported" });
    }
  }

  async function reportFailure(
    { reason, attempt, retryMs, reply, labels }: DeliveryFailure,
  ): Promise<void> {
    const about = { transport: transport.name, reason, ...reply === undefined ? {} : { reply } };
    count?.(mails, { outcome: retryMs === null ? "failed" : "delayed" });
    if (retryMs !== null) {
      const retry_seconds = retryMs / SECOND_MS;
      log({ level: "warn", event: "mail_delayed", ...about, attempt, retry_seconds });
      return;
    }
    if (reason === STOPPED) return log({ level: "info", event: "mail_stopped", ...about });
    log({ level: "error", event: "mail_failed", ...about });
    try {
      await onFailure(labels.sender as SenderKey | undefined);
    } catch {
      // The failure is already logged. An error while counting it must not stop other mails.
    }
  }

  async function flush(): Promise<void> {
    while (inPreparation.size > 0) await Promise.all(inPreparation);
    await outbox.flush();
  }

  return {
    async add(commit, mail, { kind, row, ...options }) {
      const [recipient] = await fingerprintsOf(secrets, mail.to);
      return await outbox.add(commit, mail, {
        ...options,
        labels: {
          kind,
          sender: mail.sender,
          ...row !== undefined && { batch: row.batch, row: String(row.n) },
        },
        tracked: true,
        recipient,
      });
    },
    report: returns.report,
    recall: outbox.recall,
    findLost: outbox.findLost,
    sendAgain: outbox.sendAgain,
    send(queued) {
      if (!(queued instanceof Promise)) return outbox.send(queued);
      const prepared = queued.then(outbox.send).catch(() => {})
        .finally(() => inPreparation.delete(prepared));
      inPreparation.add(prepared);
    },
    sendNow: (mail, id) => deliver(mail, { id }),
    get trouble() {
      return trouble;
    },
    drain: outbox.drain,
    flush,
    async close(limitMs) {
      await inTime(flush(), limitMs);
      transport.close?.({ force: true });
    },
  };
}

const DEFERRED = "deferred";

/** The reason of a mail that is not sent, because the address takes none. */
const STOPPED = "address_stopped";

const failureCount = (organisation: OrganisationKey) => ["stats", "mail_failed", organisation];

/** Counts a failed mail for the organisation of its sender. */
export async function countMailFailure(kv: Deno.Kv, sender?: SenderKey): Promise<void> {
  const key = failureCount(organisationOfMail(sender));
  await kv.atomic().sum(key, 1n).commit();
}

/** Returns the total number of an organisation's failed mails. */
export async function readMailFailures(
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(failureCount(organisation));
  return Number(value?.value ?? 0n);
}
