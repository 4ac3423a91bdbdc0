import { z } from "zod";
import type { SenderKey } from "../../platform/surfaces/mod.ts";
import {
  checkMail,
  type Mail,
  MailAction,
  MailError,
  MailNote,
  mailPage,
} from "../../platform/mail/mod.ts";
import { TOKEN_LIFETIME } from "./link_terms.ts";

interface SignInMailOptions {
  sender: SenderKey;
  product: string;
  link: string;
  to: string;
}

// URL parsers drop line breaks, so the characters are checked as well.
const webLink = z.string().regex(/^https?:\/\/[^\s\p{C}]+$/u).refine((link) => URL.canParse(link));

/**
 * Returns the mail with a sign-in link (spec 4.3, step 6), as text and HTML.
 *
 * @throws {MailError} `invalid_mail` if the address, product name or link contains characters that
 * could, for example, start another header
 */
export function signInMail({ sender, product, link, to }: SignInMailOptions): Mail {
  if (!webLink.safeParse(link).success) throw new MailError("invalid_mail");
  return checkMail({
    sender,
    to,
    subject: `Sign in to ${product}`,
    text: [
      `Sign in to ${product} with this link:`,
      link,
      `${EXPIRY}\n${IGNORE}`,
    ].join("\n\n") + "\n",
    html: mailPage(
      `Sign in to ${product}`,
      <>
        <MailAction href={link} text="Sign in" />
        <MailNote>{EXPIRY} {IGNORE}</MailNote>
      </>,
    ),
  });
}

const EXPIRY = `The link expires in ${TOKEN_LIFETIME} and works once.`;
const IGNORE = "If you did not ask to sign in, you can ignore this mail.";
