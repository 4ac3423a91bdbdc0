import { DIAL_CODES, ENQUIRY_TYPES, FIELD_LIMITS, HONEYPOT, LEAST_ELAPSED_MS } from "./choices.ts";

/**
 * Everything about the contact form that is a number, a choice or a sentence (spec 2.8), in one
 * object. Times are milliseconds.
 */
export const CONFIG = {
  /** Between two steps of the teletype. */
  STEP_DELAY: 400,
  STANDBY_HOLD: 3_000,
  FADE_TO_BLACK: 1_200,
  /** For each character; to be tuned. */
  CHAR_SPEED: 20,
  POLL_INTERVAL: 5_000,
  POLL_TIMEOUT: 600_000,
  /** How many events the feed begins with. */
  CHAIN_PREVIEW_COUNT: 5,
  /** How many older events are pulled at once. */
  HISTORY_COUNT: 100,
  /** A request that takes longer has failed. */
  REQUEST_TIMEOUT: 30_000,

  DIAL_CODES,
  ENQUIRY_TYPES,
  HONEYPOT,
  FIELD_LIMITS,
  LEAST_ELAPSED_MS,

  COPY: {
    EYEBROW: "Verified enquiry",
    TITLE: "Contact us",
    INTRO: "What you send becomes a record that you can verify yourself.",
    LABELS: {
      name: "Name",
      organisation: "Organisation",
      email: "Email",
      mobile: "Mobile",
      country: "Dial code",
      enquiry_type: "Enquiry type",
      message: "Message",
      honeypot: "Leave this empty",
    },
    OPTIONAL: "optional",
    SUBMIT: "Register enquiry",
    SUBMITTING: "Registering…",
    CLOSE: "Close",
    /** Spec 4.6, footer copy. */
    FOOTER:
      "Your contact details are used to create a verified record. We reply to you directly by email.",

    PROBLEM_TITLE: "This needs another look",
    FAILURE_TITLE: "The enquiry was not sent",
    DOUBT_TITLE: "We do not know whether it arrived",
    CONFLICT_TITLE: "An earlier version has arrived",
    PROBLEMS: {
      name: "Enter your name.",
      email: "Enter your email address.",
      email_form: "Enter an email address such as name@example.org.",
      mobile: "Enter a phone number in digits, or leave it empty.",
      enquiry_type: "Choose what your enquiry is about.",
      too_long: "This is longer than we can take.",
      challenge: "Complete the check that you are a person.",
    },
    FAILURES: {
      too_fast: "That was faster than a person reads. Wait a moment, then send it again.",
      challenge_failed: "The check that you are a person did not pass. Try it again.",
      challenge_missing:
        "The check that you are a person did not load. Reload the page, then try again.",
      conflict:
        "Your enquiry arrived at the first attempt, and you have changed it since. Send the changed one as a new enquiry, or leave it at the first.",
      too_large: "The message is too long. Shorten it, then send it again.",
      forbidden: "Enquiries from this page are not accepted.",
      rate_limited: "Too many enquiries came from your network. Try again {when}.",
      unavailable:
        "Our side did not answer as it should. Send it again in a moment, unchanged: even if it arrived, it is registered only once.",
      network:
        "The connection failed before an answer came. Send it again unchanged: even if it arrived, it is registered only once.",
      unreadable:
        "The answer could not be read. Send it again unchanged: even if it arrived, it is registered only once.",
      refused: "The enquiry was refused. Check it, then send it again.",
    },
    /** The `{when}` above. */
    WHEN: { later: "later", minute: "in a minute", minutes: "in {minutes} minutes" },
    SEND_AS_NEW: "Send as a new enquiry",

    STAND_BY: "STAND BY",
    STAND_BY_NOTE: "Enquiry received. Your record is being written.",
    MESSAGE: {
      TITLE: "VERIFIED RECORD",
      RECORDED: "RECORDED",
      RECORD: "RECORD",
      EMAIL: "EMAIL",
      MOBILE: "MOBILE",
      NO_MOBILE: "NOT GIVEN",
      CHAIN: "CHAIN",
      CHAIN_VALUE: "BEGUN, HEAD SIGNED",
      SCAN: "SCAN OR TAP TO VERIFY",
      CONFIRM: "CONFIRM YOUR EMAIL BY THE LINK THAT WE SEND YOU.",
      REPLY: "OUR REPLY COMES DIRECTLY BY EMAIL.",
    },
    MESSAGE_ENDS: "MESSAGE ENDS",
    QR: "QR code: verify this record",
    VERIFY: "Verify this record",
    FEED_TITLE: "Chain events",
    FEED_ZONE: "times in UTC",
    HINT: "scroll for full history",
    BEGINNING: "beginning of the chain",
    EARLIER: "earlier events",
    EARLIER_FAILED: "Earlier events did not load.",
    RETRY: "Try again",
    WATCHING: "watching for new events",
    WATCHED: "no longer watching for new events",

    DONE_TITLE: "Your enquiry is registered",
    DONE_NOTE: "Confirm your email by the link that we send you. Our reply comes by email.",
    AGAIN: "Send another enquiry",
  },
} as const;
