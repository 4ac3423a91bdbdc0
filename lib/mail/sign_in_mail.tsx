import { z } from "zod";
import { checkMail, type Mail, MailError } from "./mail.ts";
import { MailAction, MailNote, mailPage } from "./mail_page.tsx";

export interface SignInMailOptions {
  /** The product's name, as people know it. */
  product: string;
  /** What signs in: an http or https address. */
  link: string;
  to: string;
}

// The characters first: URL parsers drop line ends, and what is sent is what was given.
const webLink = z.string().regex(/^https?:\/\/[^\s\p{C}]+$/u).refine((link) => URL.canParse(link));

/**
 * The mail that signs a person in (spec 4.3, step 6), as text and as HTML.
 *
 * @throws {MailError} `invalid_mail` when the address, the product's name or the link could be
 * read as something else, such as a second header
 *
 * @example
 * ```ts
 * mailer.post(signInMail({ product: "Qualpack", link, to: "ada@example.org" }));
 * ```
 */
export function signInMail({ product, link, to }: SignInMailOptions): Mail {
  if (!webLink.safeParse(link).success) throw new MailError("invalid_mail");
  return checkMail({
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

const EXPIRY = "The link expires in 15 minutes and works once.";
const IGNORE = "If you did not ask to sign in, you can ignore this mail.";
