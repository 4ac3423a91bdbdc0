/**
 * The meaning of a receiving server's refusal for an address.
 *
 * - `hard`: the address takes no mail.
 * - `soft`: a mail was not accepted for a reason that passes, such as a full mailbox.
 * - `block`: the server accepts nothing from this sender. The address may be fine.
 */
export type Bounce = "hard" | "soft" | "block";

/** The reply code of SMTP at the beginning of a text, and the enhanced status code after it (RFC 3463). */
const REPLY = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?![.\d]))?/;
const ENHANCED = /(?<![.\d])([245]\.\d{1,3}\.\d{1,3})(?![.\d])/;

/**
 * Refusals of an address that no later mail changes: a mailbox or domain that does not exist, has moved, or takes
 * no mail (RFC 3463, 3.2; 5.1.10 is RFC 7505), is disabled (3.3), or has a new owner (RFC 7293).
 */
const HARD = /^5\.(1\.(0|1|2|3|6|9|10)|2\.(0|1)|7\.1[78])$/;
/** Refusals because of who sends: 5.7 is about permissions, and 5.1.7 and 5.1.8 about the sender's address. */
const BLOCK = /^5\.(7\.(?!1[78]$)\d+|1\.[78])$/;
const BLOCK_WORDS =
  /\b(sender|relay(ing)? (access )?(denied|prohibited|(is )?not)|not authori[sz]ed|authentication|spf|dkim|dmarc|helo|ehlo|block ?list(ed)?|black ?list(ed)?|blocked|spam(haus)?|reputation|rbl|dnsbl)\b/i;
/** Temporary states that servers report with a permanent code. */
const SOFT_WORDS =
  /\b(mailbox (is )?full|(over|exceeded|out of|insufficient)[\w' ]{0,20}(quota|storage)|quota exceeded|too (busy|many)|try (again )?later|temporar(il)?y)\b/i;

/** Returns the code of a reply without its text, such as `550 5.1.1`; undefined if it has none. */
export function replyCode(response: string): string | undefined {
  const [, reply, enhanced] = REPLY.exec(response) ?? [];
  return enhanced === undefined ? reply : `${reply} ${enhanced}`;
}

/** Returns the first enhanced status code in a text, such as `5.1.1`; undefined if it has none. */
export const enhancedStatus = (text: string): string | undefined => ENHANCED.exec(text)?.[1];

/**
 * Classifies the refusal of a recipient. The enhanced status code decides. Without one, the words of the reply say
 * whether it is about the sender or passes; a reply that says neither is about the address.
 *
 * @param text a reply such as `550 5.1.1 No such user`, or a status code such as `5.1.1`
 */
export function bounceOf(text: string): Bounce {
  const status = enhancedStatus(text);
  const reply = status?.[0] ?? REPLY.exec(text)?.[1][0];
  if (reply !== "5") return "soft";
  if (status === undefined || status === "5.0.0") {
    if (BLOCK_WORDS.test(text)) return "block";
    return SOFT_WORDS.test(text) ? "soft" : "hard";
  }
  if (BLOCK.test(status)) return "block";
  return HARD.test(status) ? "hard" : "soft";
}
