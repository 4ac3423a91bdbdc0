/** The text of the terms. */
import { LINKS_PER_HOUR, TOKEN_LIFETIME } from "../../auth/mod.ts";
import { contactItems, namesOf, type PageContext } from "./context.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { blocks, itemList, link } from "./markdown.ts";

export function termsMarkdown(context: PageContext): string {
  const { config, surfaces } = context;
  const { foundation, commercial, product } = namesOf(context);
  return blocks(
    "# Terms",
    `These sites are published by ${foundation} and ${commercial}. By using them you agree to ` +
      "these terms.",
    "## Access",
    "The sites, the standard and the MCP servers are open to everyone without an account. An MCP " +
      "server may limit the requests per minute from one address; its descriptor states the limit.",
    "## Your account",
    `An account on ${
      link(config.productName, surfaces.url("site", "/"))
    } consists only of your email ` +
      "address. There is no password: we email a link that signs you in once, within " +
      `${TOKEN_LIFETIME}. Anyone who reads that mailbox can sign in, so use an address that only ` +
      "you can read, and sign out on shared computers.",
    `Request links only for your own address. We send at most ${LINKS_PER_HOUR} per hour to one ` +
      "mailbox for each kind of sign-in: to an account, to a record, and to the pages of our " +
      "administrators. An account is free, and you can have it deleted at any time: see the " +
      "[privacy page](/privacy).",
    "## Your record",
    "Whoever can read the mailbox of your record's confirmed address can open the record. We email a " +
      "notice of everything that could give somebody else access to it, with a link that undoes it " +
      `within ${LIFETIMES.undo}. Read these emails, because after that it cannot be undone.`,
    "If you delete your record, it is closed at once and erased after " +
      `${LIFETIMES.deletionWaits}. The link in our email keeps it, or erases it sooner. If its email ` +
      `address was replaced within the last ${LIFETIMES.undo}, it cannot be erased sooner, because ` +
      "the earlier address can still undo that.",
    "## The catalogue",
    "The qualification catalogue is a selection, provided without warranty. The authoritative " +
      "source is the [national register](https://training.gov.au).",
    "## Fair use",
    "Do not try to sign in as someone else, circumvent the limits or disrupt the service for " +
      "others. If you do, we may end your sessions and close your account.",
    "## Questions",
    "Write to the organisation whose site you used. An enquiry belongs to the organisation on " +
      `whose site it was made, and an account on ${product} belongs to ${commercial}.`,
    itemList(contactItems(context)),
  );
}
