/** The text of the mail with a sign-in link, and the checks of what goes into it. */
import { z } from "zod";
import {
  checkMail,
  createMail,
  type Mail,
  MailError,
  type MailSender,
} from "../../platform/mail/mod.ts";
import { TOKEN_LIFETIME } from "./link_terms.ts";

interface SignInMailOptions {
  /** Its name is the product's. */
  sender: MailSender;
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
export function signInMail({ sender, link, to }: SignInMailOptions): Mail {
  if (!webLink.safeParse(link).success) throw new MailError("invalid_mail");
  const title = `Sign in to ${sender.name}`;
  return checkMail(createMail({
    sender,
    to,
    subject: title,
    title,
    parts: [
      { link, text: "Sign in" },
      {
        note: `The link expires in ${TOKEN_LIFETIME} and works once. ` +
          "If you did not ask to sign in, you can ignore this email.",
      },
    ],
    because: `somebody entered this address on the sign-in page of ${sender.name}`,
  }));
}
