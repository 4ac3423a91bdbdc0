/** The texts and times of the contact form. */
import { CONTACT_FIELDS, DIAL_CODES, ENQUIRY_TYPES, HONEYPOT, MIN_ELAPSED_MS } from "./fields.ts";

/** All constants, choices and texts of the contact form (spec 2.8). Times are in milliseconds. */
export const CONFIG = {
  /** The delay between two steps of the teletype. */
  STEP_DELAY: 400,
  STANDBY_HOLD: 3_000,
  FADE_TO_BLACK: 1_200,
  /** The time for each typed character. */
  CHAR_SPEED: 20,
  POLL_INTERVAL: 5_000,
  POLL_TIMEOUT: 600_000,
  /** The number of events that the feed starts with. */
  CHAIN_PREVIEW_COUNT: 5,
  /** The number of older events per request. */
  HISTORY_COUNT: 100,
  REQUEST_TIMEOUT: 30_000,
  /** When to open a stream again: after it ended, and after it was refused or failed. */
  STREAM_RETRY: 3_000,
  STREAM_REFUSED_RETRY: 60_000,
  /** A stream without even a comment for this long is closed. The server sends one every 15 s. */
  STREAM_SILENCE: 45_000,

  FIELDS: CONTACT_FIELDS,
  DIAL_CODES,
  ENQUIRY_TYPES,
  HONEYPOT,
  MIN_ELAPSED_MS,

  COPY: {
    EYEBROW: "Your enquiry",
    TITLE: "Contact {organisation}",
    /** The title on a page that does not name the organisation. */
    TITLE_WITHOUT_NAME: "Contact us",
    INTRO: "What you send becomes a record that you can verify yourself.",
    DIAL_CODE: "Dial code",
    HONEYPOT: "Leave this empty",
    OPTIONAL: "optional",
    /** The first entry of an optional list. */
    NOT_CHOSEN: "Not given",
    SUBMIT: "Register enquiry",
    SUBMITTING: "Registering…",
    CLOSE: "Close",
    /** The control of the running sequence, and its name. */
    SKIP: "Skip",
    SKIP_NAME: "Skip the typing",
    /** Spec 4.6, footer copy. */
    FOOTER:
      "Your contact details are used to create a verified record. We reply to you directly by email.",

    /** Says that entries in the log remain for ever. */
    LOGGED:
      "Our public log has entries for the record. They name nobody, and stay if you delete it.",
    PRIVACY: "Privacy",

    PROBLEM_TITLE: "Please check your enquiry",
    FAILURE_TITLE: "The enquiry was not sent",
    DOUBT_TITLE: "We do not know whether your enquiry arrived",
    CONFLICT_TITLE: "An earlier version has arrived",
    TOO_LONG: "This text is too long.",
    CHALLENGE: "Complete the bot check.",
    FAILURES: {
      too_fast: "That was too fast for a person. Wait a moment, then send it again.",
      challenge_failed: "The bot check failed. Try it again.",
      challenge_missing: "The bot check did not load. Reload the page, then try again.",
      conflict:
        "Your enquiry arrived at the first attempt, and you have changed it since. Send the changed version as a new enquiry, or keep the first one.",
      too_large: "The message is too long. Shorten it, then send it again.",
      forbidden: "This site may not use the form yet. Its owner needs to ask us to allow {origin}.",
      hidden_origin: "This page hides its origin, so it may not use the form.",
      rate_limited: "Too many enquiries came from your network. Try again {when}.",
      unavailable:
        "Something went wrong on our side. Send it again in a moment, unchanged: even if it arrived, it is registered only once.",
      network:
        "The connection failed before we could respond. Send it again unchanged: even if it arrived, it is registered only once.",
      unreadable:
        "We could not read the response. Send it again unchanged: even if it arrived, it is registered only once.",
      refused: "The enquiry was refused. Check it, then send it again.",
    },
    /** Replaces `{when}` if the server does not send a time. */
    LATER: "later",
    SEND_AS_NEW: "Send as a new enquiry",

    STAND_BY: "STAND BY",
    /** Above the sequence from its first line on. */
    NEXT: "Next: open the email to {email} and confirm your address.",
    STAND_BY_NOTE: "Enquiry received. Your record is being written.",
    MESSAGE: {
      TITLE: "VERIFIED RECORD",
      TO: "TO",
      RECORDED: "RECORDED",
      RECORD: "RECORD",
      NOT_GIVEN: "NOT GIVEN",
      CHAIN: "CHAIN",
      CHAIN_VALUE: "STARTED, HEAD SIGNED",
      SCAN: "SCAN OR TAP TO VERIFY",
      CONFIRM: "CONFIRM YOUR EMAIL WITH THE LINK THAT WE SEND YOU.",
      REPLY: "WE REPLY DIRECTLY BY EMAIL.",
    },
    MESSAGE_ENDS: "MESSAGE ENDS",
    QR: "QR code: verify this record",
    VERIFY: "Verify this record",
    FEED_TITLE: "Chain events",
    FEED_ZONE: "times in UTC",
    HINT: "scroll for full history",
    BEGINNING: "beginning of the chain",
    /** Replaces it when somebody scrolls further up. */
    WHOLE_HISTORY: "This is the whole history",
    EARLIER: "earlier events",
    EARLIER_FAILED: "Earlier events did not load.",
    RETRY: "Try again",
    REWRITTEN:
      "The chain on the server does not contain all of the events that were shown here. The feed has started over with its current events.",
    WATCHING: "watching for new events",
    WATCHED: "no longer watching for new events",
    WATCH_AGAIN: "watch again",

    DONE_TITLE: "Your enquiry to {organisation} is registered",
    DONE_TITLE_WITHOUT_NAME: "Your enquiry is registered",
    DONE_NOTE: "Confirm your email with the link that we send you. We reply by email.",
    AGAIN: "Send another enquiry",
    /** The note that stays after the sequence. */
    NOTE: "Your record",
    OPEN_RECEIPT: "Open receipt",
    VERIFY_SHORT: "Verify",
    EARLIER_RECORDS: "Earlier records from this tab",
    COPY_HASH: "Copy",
    COPIED: "Copied",
    COPY_BLOCKED:
      "The browser blocked the clipboard. The text is selected: copy it with the keyboard.",
  },
} as const;

/** Returns the title of the form of an organisation. */
export const titleOf = (organisation?: string): string =>
  organisation === undefined
    ? CONFIG.COPY.TITLE_WITHOUT_NAME
    : CONFIG.COPY.TITLE.replace("{organisation}", () => organisation);

/** Returns the title of the receipt for an enquiry to an organisation. */
export const doneTitleOf = (organisation?: string): string =>
  organisation === undefined
    ? CONFIG.COPY.DONE_TITLE_WITHOUT_NAME
    : CONFIG.COPY.DONE_TITLE.replace("{organisation}", () => organisation);

/** Returns why pages of an origin may not use the form, for a person and the site's owner. */
export const forbiddenOf = (origin: string): string =>
  origin === "null"
    ? CONFIG.COPY.FAILURES.hidden_origin
    : CONFIG.COPY.FAILURES.forbidden.replace("{origin}", () => origin);
