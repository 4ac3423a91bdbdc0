/** Sends mails about urgent alerts, with retries, even while the store fails. */
import { inTime } from "../../base/in_time.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import type { Platform } from "../../platform/feature.ts";
import type { Mail } from "../../platform/mail/mod.ts";
import type { SenderKey } from "../../platform/surfaces/mod.ts";
import { type Cause, keyOf } from "./causes.ts";
import { AGAIN_MS, claimCause, isAbout, noteMailed } from "./mailed.ts";
import type { AlertRecipients, Recipient } from "./recipients.ts";
import { urgentMail, type UrgentMailOptions } from "./urgent_mail.ts";

/** The least time between two mails of a process, so that nobody can flood administrators with causes. */
const PACE_MS = 5 * MINUTE_MS;
/** Failed mails are repeated after this time, then after twice as long, up to an hour. */
const FIRST_RETRY_MS = MINUTE_MS;
/** How often those are tried again who got no mail although others did. */
const MOST_TRIES = 6;
/** How long one mail may take, although transports end by themselves. */
const SEND_MS = 45 * SECOND_MS;

/** How many alerts of a cause are remembered. */
const MOST_ALERTS = 100;

type Deps =
  & Pick<Platform, "kv" | "clock" | "schedule" | "instance" | "mailer" | "log">
  & Omit<UrgentMailOptions, "kinds">
  & { kinds: () => UrgentMailOptions["kinds"]; recipients: AlertRecipients };

/** The state of the mails about a cause, as this process knows it. */
interface Progress {
  cause: Cause;
  /** When a mail was accepted, of this process or of another, in milliseconds since 1970; null until then. */
  mailedAt: number | null;
  /** Those whose mail was accepted. */
  reached: Set<string>;
  /** False for a cause that another process has mailed. */
  own: boolean;
  tries: number;
  nextAt: number;
  /** True once the cause was absent, so that it is a new one when it comes back. */
  ended: boolean;
}

/**
 * Creates the function that mails urgent causes to administrators: each cause once, together with the
 * others of the moment. It needs the store only to agree with other processes.
 *
 * @returns the function, which returns false while a cause could not be mailed to anybody
 */
export function createUrgentMails(
  deps: Deps,
): (causes: readonly Cause[]) => Promise<boolean> {
  const { clock, schedule, kinds, log, mailer, recipients } = deps;
  const known = new Map<string, Progress>();
  let lastMailAt = -Infinity;

  /** Updates what is known with the causes of the moment. */
  function note(causes: readonly Cause[], now: number): void {
    const current = new Set(causes.map(keyOf));
    for (const [key, progress] of known) {
      if (current.has(key)) continue;
      progress.ended = true;
      if (now - (progress.mailedAt ?? 0) >= AGAIN_MS) known.delete(key);
    }
    for (const cause of causes) {
      const before = known.get(keyOf(cause));
      const isSame = before !== undefined && !before.ended && isAbout(before.cause.alerts, cause);
      if (isSame) {
        const alerts = [...new Set([...before.cause.alerts, ...cause.alerts])].slice(-MOST_ALERTS);
        before.cause = { ...cause, alerts };
      } else if (before?.mailedAt == null || now - before.mailedAt >= AGAIN_MS) {
        known.set(keyOf(cause), newProgress(cause, now));
      }
    }
  }

  /** Returns the causes that this process mails now. */
  async function due(now: number): Promise<Progress[]> {
    const mine: Progress[] = [];
    for (const progress of known.values()) {
      if (progress.ended || progress.nextAt > now || isComplete(progress)) continue;
      if (progress.mailedAt !== null) mine.push(progress); // some got no mail yet
      else if (now - lastMailAt >= PACE_MS) {
        const claim = await claimCause(deps, progress.cause);
        if (claim === "send") mine.push(progress);
        else if (claim !== "wait") Object.assign(progress, { mailedAt: claim.mailed, own: false });
      }
    }
    return mine;
  }

  const isComplete = ({ cause, mailedAt, own, reached, tries }: Progress): boolean =>
    mailedAt !== null &&
    (!own || tries >= MOST_TRIES ||
      recipients.of(cause).every(({ email }) => reached.has(email)));

  /** Sends one mail of a console to each recipient with all causes that they have not heard of. */
  async function send(mine: readonly Progress[], now: number): Promise<void> {
    const perRecipient = new Map<string, { recipient: Recipient; about: Progress[] }>();
    for (const progress of mine) {
      for (const recipient of recipients.of(progress.cause)) {
        if (progress.reached.has(recipient.email)) continue;
        const key = `${recipient.organisation} ${recipient.email}`;
        const { about } = perRecipient.getOrInsert(key, { recipient, about: [] });
        about.push(progress);
      }
    }
    await Promise.all(
      Array.from(perRecipient.values(), async ({ recipient, about }) => {
        const causes = about.map(({ cause }) => cause);
        const mail = urgentMail({ ...deps, kinds: kinds() }, recipient, causes, now);
        const failure = await sendFromAny(mail, idOf(recipient, causes));
        if (failure === null) { for (const { reached } of about) reached.add(recipient.email); }
        else log({ level: "error", event: "alert_mail_failed", reason: failure });
      }),
    );
    for (const progress of mine) await settle(progress, now);
  }

  async function settle(progress: Progress, now: number): Promise<void> {
    progress.tries++;
    progress.nextAt = now + Math.min(FIRST_RETRY_MS * 2 ** (progress.tries - 1), HOUR_MS);
    if (progress.mailedAt !== null || progress.reached.size === 0) return;
    progress.mailedAt = lastMailAt = now;
    Object.assign(progress, { tries: 1, nextAt: now + FIRST_RETRY_MS }); // for those who got none yet
    const { cause, reached } = progress;
    log({ level: "warn", event: "alert_mailed", alert: cause.kind, recipients: reached.size });
    await noteMailed(deps, cause).catch(() => {}); // the mail was sent
  }

  /** Sends a mail; from the sender of another organisation if the mail server refuses its own. */
  async function sendFromAny(mail: Mail, id: string): Promise<string | null> {
    let failure = "";
    for (const sender of sendersFor(mail.sender)) {
      const sent = await inTime(mailer.sendNow({ ...mail, sender }, id), SEND_MS, schedule);
      if (sent?.ok) return null;
      failure = sent?.error ?? "timeout";
      if (failure !== "sender_refused") break;
    }
    return failure;
  }

  return async (causes) => {
    const now = clock();
    note(causes, now);
    const mine = await due(now);
    if (mine.length > 0) await send(mine, now);
    return [...known.values()].every(({ mailedAt, tries, ended }) =>
      ended || mailedAt !== null || tries === 0
    );
  };
}

const newProgress = (cause: Cause, now: number): Progress => ({
  cause,
  mailedAt: null,
  reached: new Set(),
  own: true,
  tries: 0,
  nextAt: now,
  ended: false,
});

/** Returns a mail's own sender, then the others. */
const sendersFor = (own: SenderKey): SenderKey[] => [
  own,
  ...(["product", "commercial", "foundation"] as const).filter((key) => key !== own),
];

/** Returns the id of a mail, which is the same when it is repeated. */
const idOf = ({ email }: Recipient, causes: readonly Cause[]): string =>
  `alert-${sha256(JSON.stringify([email, causes.map((cause) => [keyOf(cause), cause.since])]))}`;
