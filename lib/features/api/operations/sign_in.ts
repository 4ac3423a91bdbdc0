/** Descriptions of the operations that sign holders in and out: passkeys, codes and links. */
import { MAX_ATTEMPTS, sendSchema, sentSchema, verifySchema } from "../../codes/mod.ts";
import {
  registrationSchema,
  registrationStepSchema,
  signInSchema,
  signInStepSchema,
} from "../../passkeys/mod.ts";
import { recordLinkSchema, signOutSchema } from "../../records/mod.ts";
import { plural } from "../../../base/time.ts";
import {
  invalid,
  limited,
  NO_SESSION,
  NOT_RECENT,
  NOT_RECENT_IN_FORCE,
  type Operation,
  successSchema,
} from "../operation.ts";

const REQUEST_OPTIONS = {
  step: "options",
  challenge: "kXn2m0V5r1q8Yz3wT7uB4c",
  rpId: "trust.example",
  timeout: 300000,
  allowCredentials: [],
  userVerification: "required",
};

export const signInWithPasskey = {
  id: "signInWithPasskey",
  group: "Sign-in",
  method: "post",
  path: "/api/auth/verify-passkey",
  surfaces: ["trust"],
  summary: "Sign in with a passkey",
  description: "Post `{}` for the options of `navigator.credentials.get()` or of the " +
    "platform's API, with a cookie that binds them to your program. Then post the " +
    "authenticator's `response` with that cookie, which starts the session.",
  properties: { audience: "both", noAuthority: "It signs in." },
  body: signInSchema,
  responses: {
    200: {
      description: "The options, or the path of the page for people once you are signed in.",
      schema: signInStepSchema,
      headers: ["Set-Cookie"],
    },
  },
  errors: {
    400: {
      codes: ["invalid_request", "passkey_expired"],
      description: "The response is malformed, or its options are unknown, used or too old.",
    },
    401: {
      codes: ["passkey_refused"],
      description: "The passkey is unknown, or the signature is wrong.",
    },
    429: limited("This client has asked for too many options."),
  },
  example: { body: {}, response: REQUEST_OPTIONS },
} satisfies Operation;

export const addPasskey = {
  id: "addPasskey",
  group: "Sign-in",
  method: "post",
  path: "/api/auth/register-passkey",
  surfaces: ["trust"],
  summary: "Add a passkey",
  description: "Adds a passkey to the open record. Post `{}` for the options of " +
    "`navigator.credentials.create()`, then the authenticator's `response`. Requires a sign-in " +
    "within the last ten minutes.",
  properties: { audience: "both" },
  holder: "recent",
  body: registrationSchema,
  responses: {
    200: { description: "The options.", schema: registrationStepSchema },
    201: { description: "The passkey was added.", schema: registrationStepSchema },
  },
  errors: {
    400: {
      codes: ["invalid_request", "passkey_expired"],
      description: "The response is malformed, or its options are unknown, used or too old.",
    },
    401: {
      codes: ["unauthenticated", "passkey_refused"],
      description: "There is no session, or the response proves nothing.",
    },
    403: NOT_RECENT_IN_FORCE,
    409: { codes: ["too_many_passkeys"], description: "The record has 20 passkeys." },
    429: limited("Too many options were requested for this record."),
  },
  example: {
    body: {},
    response: {
      step: "options",
      challenge: "kXn2m0V5r1q8Yz3wT7uB4c",
      rp: { id: "trust.example", name: "Certification Infrastructure" },
      user: { id: "dXNlcg", name: "Record 2c26b46b", displayName: "Record 2c26b46b" },
      pubKeyCredParams: [{ alg: -8, type: "public-key" }, { alg: -7, type: "public-key" }],
      timeout: 300000,
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    },
  },
} satisfies Operation;

export const sendCode = {
  id: "sendCode",
  group: "Sign-in",
  method: "post",
  path: "/api/auth/otp/send",
  surfaces: ["trust"],
  summary: "Send a code",
  description: "Sends a code by SMS or call. For a sign-in, the response is the same for every " +
    "number. Confirming the number of the open record requires a session that was started " +
    "with a passkey or an emailed link within the last ten minutes.",
  properties: { audience: "both" },
  body: sendSchema,
  responses: {
    200: {
      description: "The code will be sent. Keep the cookie for `verifyCode`.",
      schema: sentSchema,
      headers: ["Set-Cookie"],
    },
  },
  errors: {
    400: {
      codes: [
        "invalid_request",
        "country_not_supported",
        "number_not_supported",
        "invalid_number",
      ],
      description: "The number is malformed, or cannot get codes.",
    },
    401: NO_SESSION,
    403: {
      codes: ["forbidden", "sign_in_again", "record_closed"],
      description: "The session was started with a code, is too old, or its record is closed.",
    },
    404: { codes: ["not_found"], description: "The record has no number." },
    409: {
      codes: ["conflict"],
      description: "The number is already confirmed, belongs to somebody else, or belongs to " +
        "a correction that is not waiting for it.",
    },
    429: limited("Too many codes were requested for this number or by this client."),
    503: {
      codes: ["unavailable"],
      description: "Codes are off, or no more can be sent today.",
      optionalHeaders: ["Retry-After"],
    },
  },
  example: {
    body: { method: "sms", mobile: "+61491570006" },
    response: {
      success: true,
      to: "+61 ••• ••• 006",
      method: "sms",
      retry_after_seconds: 60,
      page: "/my-record/code",
    },
  },
} satisfies Operation;

export const verifyCode = {
  id: "verifyCode",
  group: "Sign-in",
  method: "post",
  path: "/api/auth/otp/verify",
  surfaces: ["trust"],
  summary: "Enter a code",
  description: "Signs in with a code, or confirms the number of the open record. Send the " +
    "cookie of `sendCode`.",
  properties: { audience: "both" },
  body: verifySchema,
  responses: {
    200: {
      description: "You are signed in, or the number is confirmed.",
      schema: successSchema,
      optionalHeaders: ["Set-Cookie"],
    },
  },
  errors: {
    400: {
      codes: ["invalid_request", "wrong_code", "code_expired"],
      description: "The code is malformed, wrong, or too old. A code has " +
        `${plural(MAX_ATTEMPTS, "attempt")}.`,
    },
    401: NO_SESSION,
    403: NOT_RECENT,
    429: limited("This client has entered too many codes."),
  },
  example: { body: { code: "747723" }, response: { success: true } },
} satisfies Operation;

export const requestLink = {
  id: "requestLink",
  group: "Sign-in",
  method: "post",
  path: "/my-record/sign-in",
  surfaces: ["trust"],
  summary: "Email a sign-in link",
  description: "Emails a link that opens the records of a confirmed address. The response is the " +
    "same for every well-formed address. The link opens in a browser.",
  properties: { noAuthority: "Anyone may ask for a link to an address." },
  hasPage: true,
  body: recordLinkSchema,
  responses: {
    200: {
      description: "If the address is known, a link will be emailed.",
      schema: successSchema,
      headers: ["Set-Cookie"],
    },
  },
  errors: {
    400: invalid("This is not an email address."),
    429: limited("This client has requested too many links in the last hour."),
  },
  example: { body: { email: "ada@example.org" }, response: { success: true } },
} satisfies Operation;

export const signOut = {
  id: "signOut",
  group: "Sign-in",
  method: "post",
  path: "/my-record/sign-out",
  surfaces: ["trust"],
  summary: "Sign out",
  description: "Ends the session and removes the devices that it registered, or with " +
    '`everywhere: "1"` all sessions and devices of the record. Succeeds without a session.',
  properties: { servesJson: true },
  body: signOutSchema,
  responses: {
    303: {
      description: "Signed out. Do not follow the redirect.",
      headers: ["Location", "Set-Cookie"],
    },
  },
  errors: { 400: invalid("`everywhere` is invalid.") },
  example: { body: {} },
} satisfies Operation;

export const SIGN_IN_OPERATIONS: readonly Operation[] = [
  signInWithPasskey,
  addPasskey,
  sendCode,
  verifyCode,
  requestLink,
  signOut,
];
