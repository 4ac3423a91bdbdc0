import { inDays, inHours } from "../../base/time.ts";
import { ALWAYS, defineTable, expires, WITH_ACCOUNT } from "../../platform/kv/mod.ts";
import { LINK_WINDOW_MS, TOKEN_LIFETIME } from "./link_terms.ts";
import { SESSION_LIFETIME_MS } from "./session_store.ts";
import { UNUSED_ACCOUNT_MS } from "./unused_job.ts";

const UNUSED = inDays(UNUSED_ACCOUNT_MS);
const SESSION = inDays(SESSION_LIFETIME_MS);
const COUNTED = inHours(LINK_WINDOW_MS);

const ACCOUNT = {
  section: "sign_in",
  label: "Your account",
  text: "Your email address, an account number, when the account was created and when you " +
    "last signed in. The account is created when a sign-in link is first requested. We keep " +
    "it until you ask us to delete it. If nobody signs in to it, we delete it after " +
    `${UNUSED}.`,
} as const;

const LINKS = {
  section: "sign_in",
  label: "Sign-in links",
  text: "A fingerprint (SHA-256) of each link, the account it is for, and the page it leads " +
    `to, for ${TOKEN_LIFETIME}. The link itself is only in your mail, and works once.`,
} as const;

const MAIL = {
  section: "sign_in",
  label: "Mail to you",
  text: "The mail with your link, encrypted, until it is sent, for at most " +
    `${TOKEN_LIFETIME}. If it cannot be sent, we also keep the reason, for the same time; if ` +
    "the mail server has rejected it, only the reason.",
} as const;

export const authTables = [
  defineTable({
    prefix: "users",
    otherIndexes: ["users_by_email"],
    owner: "user",
    lifetime: {
      ...WITH_ACCOUNT,
      kept: `${WITH_ACCOUNT.kept}; ${UNUSED} if nobody signs in`,
      job: "accounts",
    },
    per: "address that asked for a sign-in link",
    privacy: ACCOUNT,
  }),
  defineTable({
    prefix: "users_last_id",
    owner: "nobody",
    lifetime: ALWAYS,
    per: "store",
    privacy: ACCOUNT,
  }),
  defineTable({
    prefix: "link_requests",
    owner: "user",
    lifetime: expires(`until its mail is queued, at most ${TOKEN_LIFETIME}`),
    per: "request for a sign-in link",
    privacy: [{
      section: "sign_in",
      label: "Requests for a sign-in link",
      text:
        "Your email address, the page you were going to and the cookie that marks your browser, " +
        "encrypted, with a keyed fingerprint of the address, until the mail is ready: usually less than a " +
        `second, at most ${TOKEN_LIFETIME}.`,
    }, { section: "record", label: "Signing in" }],
  }),
  defineTable({
    prefix: "magic_tokens",
    otherIndexes: ["magic_tokens_by_user"],
    owner: "user",
    lifetime: expires(TOKEN_LIFETIME),
    per: "sign-in link",
    privacy: [LINKS, MAIL],
  }),
  defineTable({
    prefix: "magic_tokens_last_id",
    owner: "nobody",
    lifetime: ALWAYS,
    per: "store",
    privacy: LINKS,
  }),
  defineTable({
    prefix: "sessions",
    owner: "user",
    lifetime: expires(SESSION),
    per: "signed-in browser",
    privacy: {
      section: "sign_in",
      label: "Sessions",
      text: "For each browser in which you are signed in, your email address and account number, " +
        `with a fingerprint of the browser's cookie, for ${SESSION} or until you sign out.`,
    },
  }),
  defineTable({
    prefix: "sign_in_limits",
    owner: "nobody",
    lifetime: expires(COUNTED),
    per: "address, network or browser that asks for sign-in links",
    privacy: [{
      section: "sign_in",
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of the email address, and " +
        "fingerprints of the network address and, if you have signed in with it before, the browser, for " +
        `${COUNTED}.`,
    }, { section: "record", label: "Limits" }],
  }),
];
