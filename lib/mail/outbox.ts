import type { MailTransport, OutgoingMail } from "./mail.ts";

/** A mail in the outbox, and the first link in it. */
export type OutboxMail = OutgoingMail & { link?: string };

/** The transport of development: mails stay here, to be looked at. */
export interface Outbox extends MailTransport {
  readonly name: "outbox";
  /** The last mails, newest first. */
  list(): readonly OutboxMail[];
}

export interface OutboxOptions {
  /** Shows a line to whoever develops; links in it can be opened from most terminals. */
  print: (line: string) => void;
  /** How many mails are kept. */
  keep?: number;
}

const LINK = /https?:\/\/[^\s<>"\p{C}]+/u;

/**
 * Makes an empty outbox.
 *
 * @example
 * ```ts
 * const outbox = createOutbox({ print: console.log });
 * await outbox.send({ from, to, subject, text: link, html });
 * outbox.list()[0].link === link;
 * ```
 */
export function createOutbox({ print, keep = 100 }: OutboxOptions): Outbox {
  let mails: readonly OutboxMail[] = [];
  return {
    name: "outbox",
    send(mail) {
      const link = LINK.exec(mail.text)?.[0];
      mails = [{ ...mail, link }, ...mails].slice(0, keep);
      print(`${mail.subject}: ${link ?? "see /dev/outbox"}`);
      return Promise.resolve();
    },
    list: () => mails,
  };
}
