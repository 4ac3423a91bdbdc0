import type { Mail } from "../../../platform/mail/mod.ts";
import { linkMail, type LinkMailOptions } from "../sign_in/link_mails.ts";

/**
 * Returns the mail that asks for confirmation of a corrected address. It contains nothing that was
 * typed into the form, because anyone could have entered the address.
 */
export const correctionMail = (options: Omit<LinkMailOptions, "lasts">): Mail =>
  linkMail(options, {
    title: "Confirm your corrected email address",
    lead:
      `The holder of a record at ${options.sender.name} entered this address as a correction. ` +
      "Confirming it puts the corrected record in force. Everyone who can open the record now keeps " +
      "access to it, so confirm the address only if the record is yours.",
    action: "Confirm",
    note:
      "The link works for 7 days. Until you use it, the previous record stays in force. If this " +
      "was not you, ignore this email. The correction then expires.",
    because: `this address was entered as a correction of a record at ${options.sender.name}`,
  });
