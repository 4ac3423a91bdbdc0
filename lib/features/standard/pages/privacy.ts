/** The text of the page about privacy. */
import { contactItems, namesOf, type PageContext } from "./context.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { blocks, escapeMarkdown, type Item, itemList, slugOf } from "./markdown.ts";
import { STORED_FOR_OPERATION, storedSections } from "./stored_data.ts";

const COOKIES: readonly Item[] = [
  {
    label: "`app_session`",
    text: `Keeps you signed in for ${LIFETIMES.session}, or until you sign out.`,
  },
  {
    label: "`record_session`",
    text: `Keeps you signed in to your record for ${LIFETIMES.session}, or until you sign out.`,
  },
  {
    label: "`record_browser`",
    text: "A random number that identifies the browser that asked for a link, a code or a " +
      `passkey. It lasts for ${LIFETIMES.browser}.`,
  },
  {
    label: "`link_request`",
    text:
      "The number of the last request for a sign-in link from this browser, so that the sign-in page can " +
      `say if its email was not sent. It lasts for ${LIFETIMES.asked}.`,
  },
  {
    label: "`document_share`",
    text: "Lets this browser read a document after you have opened a link to it: for " +
      `${LIFETIMES.sharedReading} with a link of its holder's, and for at most ${LIFETIMES.grant} ` +
      "with the link that we email you after your request was approved.",
  },
  {
    label: "`document_offer`",
    text:
      "Lets this browser show you a document that is waiting for you, after you have opened the link in " +
      `the email, for ${LIFETIMES.offer}.`,
  },
  {
    label: "`record_return`",
    text: "Returns you to the page from which you signed in to your record. It lasts for " +
      `${LIFETIMES.browser}.`,
  },
  {
    label: "`theme`",
    text: "Set only if you choose the dark or the light theme. It stores your choice for " +
      `${LIFETIMES.theme}.`,
  },
];

/** The path of the page that lists everything that is stored. */
const STORED_PATH = "/privacy/stored";

/** The text of `/privacy`: in short, the personal data that is stored, who sees it, and how to delete it. */
export function privacyMarkdown(context: PageContext): string {
  const { config, tables } = context;
  const { commercial, product } = namesOf(context);
  const { contact: { challenge }, codes, store: { region } } = config;
  return blocks(
    "# Privacy",
    "These sites store as little about you as possible. Reading and searching need no account, and " +
      "we do not store what you search for.",
    `This is a summary of [everything that is stored](${STORED_PATH}).`,
    ...storedSections(tables, config).flatMap(({ heading, summary }) => [
      `## ${heading}`,
      `${summary} [Details](${STORED_PATH}#${slugOf(heading)})`,
    ]),
    "## What else is stored",
    "Totals, our own keys and our bank’s figures, none about you. Limits count requests " +
      "by fingerprints of addresses, for at most a day. " +
      `[Details](${STORED_PATH}#what-else-is-stored)`,
    "## Cookies",
    "Only what a sign-in, a shared document or your choice of colours needs, none for " +
      `tracking. [Each cookie](${STORED_PATH}#cookies)`,
    ...region === null ? [] : [
      "## Where it is stored",
      `Our database is in ${escapeMarkdown(region)}. All of this is stored there` +
      `${config.documents.store === "s3" ? ", apart from the files of documents." : "."}`,
    ],
    "## Who else sees it",
    "Our mail provider processes email to you, and the email with your enquiry to our team, who keep it " +
      "like any other.",
    codes.provider !== undefined &&
      "If you request a code by SMS or call, our telephone provider and the telephone companies " +
        "process your number and the message.",
    challenge !== undefined &&
      "The contact form loads a script that distinguishes people from bots, from " +
        `${new URL(challenge.scriptUrl).host}. Its provider receives your network address and ` +
        "data about your browser, and tells us whether you passed the check.",
    config.documents.store === "s3" &&
      "A storage provider stores the files of documents, without their names and titles.",
    "Nobody else gets your data. These pages contain no tracking, advertising or " +
      `${challenge === undefined ? "" : "other "}third-party scripts.`,
    "## Deleting your data",
    "To delete a record, choose “Delete this record” in [your record](/my-record). It is closed at " +
      `once and erased after ${LIFETIMES.deletionWaits}. The link in the email keeps it, or erases it ` +
      `sooner, unless an address that was replaced within the last ${LIFETIMES.undo} can still undo that.`,
    "For anything else, write to us from the address that you used. An enquiry " +
      "belongs to the organisation on whose site it was made, and an account on " +
      `${product} to ${commercial}.`,
    itemList(contactItems(context)),
  );
}

/** The text of the page behind `/privacy`: everything that is stored about people, by what they do. */
export function storedMarkdown({ config, tables }: PageContext): string {
  return blocks(
    "# What is stored about you",
    "Everything behind the [privacy page](/privacy): what is stored when you do something, why, and " +
      "for how long.",
    ...storedSections(tables, config).flatMap(({ heading, items }) => [
      `## ${heading}`,
      itemList(items),
    ]),
    "## What else is stored",
    STORED_FOR_OPERATION,
    "When an agent calls one of our MCP servers, your network address is kept in memory for a minute " +
      "to count requests, and then discarded.",
    "If you write to us by email, the person who answers it keeps that email like any other. Our mail " +
      "provider processes the address and text of each email to you, such as links and notices, and of " +
      "the email that sends your enquiry, with everything that you entered, to our team.",
    "## Cookies",
    itemList(COOKIES),
    "When you ask for a sign-in link, your browser stores the address and the time until you " +
      "close the tab, so that the page can tell you when you can ask for another.",
    "After an enquiry, your browser stores its receipt until you close the tab: the record's " +
      "hash, and your email address and number with most characters hidden.",
    config.recordApp &&
      "When you open your record, your browser stores its chain (the kinds, times and hashes of " +
        "the latest events, which are public), the record's hash and the result of verifying " +
        "it, so that you can see it without a connection. If you turn on notifications in the browser, it also " +
        "stores the address of its push service and the record's hash. Both are removed when you sign out in that browser. " +
        "Pages and documents are not stored.",
    "## What a deletion removes",
    "We delete your account and everything that belongs to it. For each enquiry, we delete " +
      "everything that you entered, the random value, the link, our notes and replies, and email that was not sent yet. The chain " +
      "remains, but nobody can tell whose record it was.",
  );
}
