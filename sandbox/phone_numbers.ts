/** The outcome of a message at the stand-in. */
type PhoneBehaviour =
  | { is: "delivered" }
  /** The message is accepted, but a call fails later, and so does an SMS if it has an error code. */
  | { is: "undelivered"; callStatus: string; errorCode?: string }
  | Rejection
  | { is: "slow" };

/** A rejected message: Twilio's error codes per channel, and the code of the plain HTTP shape. */
export interface Rejection {
  is: "rejected";
  status: number;
  error: string;
  sms?: number;
  voice?: number;
}

interface PhoneNumberRow {
  number: string;
  /** The description of the number on `/dev/phone`. */
  text: string;
  behaviour: PhoneBehaviour;
}

const DELIVERED: PhoneBehaviour = { is: "delivered" };

const rejected = (
  status: number,
  error: string,
  codes: { sms?: number; voice?: number },
): PhoneBehaviour => ({ is: "rejected", status, error, ...codes });

/**
 * The numbers with a fixed behaviour. All of them are valid for libphonenumber, and none belongs to a
 * person: Australia, Germany, Canada and the United States reserve them for fiction, and Twilio
 * reserves the last two for tests.
 */
export const PHONE_NUMBERS: readonly PhoneNumberRow[] = [
  { number: "+61491570006", text: "Australia: delivered", behaviour: DELIVERED },
  { number: "+491713920000", text: "Germany: delivered", behaviour: DELIVERED },
  { number: "+14165550123", text: "Canada: delivered", behaviour: DELIVERED },
  { number: "+12025550143", text: "United States: delivered", behaviour: DELIVERED },
  {
    number: "+61491570156",
    text: "Accepted, but not delivered; a call fails",
    behaviour: { is: "undelivered", errorCode: "30003", callStatus: "failed" },
  },
  {
    number: "+61491570157",
    text: "Busy; an SMS is delivered",
    behaviour: { is: "undelivered", callStatus: "busy" },
  },
  {
    number: "+61491570110",
    text: "Nobody answers; an SMS is delivered",
    behaviour: { is: "undelivered", callStatus: "no-answer" },
  },
  {
    number: "+61491570158",
    text: "Blocked by the provider",
    behaviour: rejected(400, "blocked", { sms: 21610, voice: 21216 }),
  },
  {
    number: "+61491570159",
    text: "The provider takes longer than our timeout",
    behaviour: { is: "slow" },
  },
  {
    number: "+61491570313",
    text: "429: too many requests",
    behaviour: rejected(429, "rate_limited", { sms: 20429, voice: 20429 }),
  },
  {
    number: "+61491570737",
    text: "Rejected by the provider as invalid",
    behaviour: rejected(400, "invalid_number", { sms: 21211, voice: 21217 }),
  },
  {
    number: "+15005550001",
    text: "Twilio’s test number that is invalid",
    behaviour: rejected(400, "invalid_number", { sms: 21211, voice: 21217 }),
  },
  {
    number: "+15005550009",
    text: "Twilio’s test number that cannot receive SMS; a call works",
    behaviour: rejected(400, "unreachable", { sms: 21614 }),
  },
];

/** Returns the behaviour of a number. Messages to every other number are delivered. */
export const behaviourOf = (number: string): PhoneBehaviour =>
  PHONE_NUMBERS.find((row) => row.number === number)?.behaviour ?? DELIVERED;
