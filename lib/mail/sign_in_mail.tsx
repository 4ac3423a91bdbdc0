import { renderToString } from "preact-render-to-string";
import { z } from "zod";
import { checkMail, type Mail, MailError } from "./mail.ts";

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
    html: `<!doctype html>${renderToString(<Page product={product} link={link} />)}`,
  });
}

const EXPIRY = "The link expires in 15 minutes and works once.";
const IGNORE = "If you did not ask to sign in, you can ignore this mail.";

// Mail programs drop style sheets more often than attributes: light is inline, and dark is for
// those that know what to do with it.
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0f1622 !important; color: #e9eef5 !important; }
  .quiet { color: #a3adbb !important; }
  .quiet a { color: #4ecdc4 !important; }
}`;
const PAGE = "margin: 0; padding: 32px 20px; background: #f8fafb; color: #1a2332; " +
  "font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;";
const BODY = "max-width: 480px; margin: 0 auto;";
const HEADING = "margin: 0 0 24px; font-size: 22px; line-height: 1.3;";
const BUTTON = "display: inline-block; padding: 12px 24px; border-radius: 10px; " +
  "background: #0f766e; color: #ffffff; font-weight: 600; text-decoration: none;";
const QUIET = "margin: 24px 0 0; color: #556070; font-size: 14px; overflow-wrap: anywhere;";
const LINK = "color: #0f6b64;";

function Page({ product, link }: { product: string; link: string }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`Sign in to ${product}`}</title>
        <style dangerouslySetInnerHTML={{ __html: DARK }} />
      </head>
      <body class="page" style={PAGE}>
        <div style={BODY}>
          <h1 style={HEADING}>{`Sign in to ${product}`}</h1>
          <a href={link} style={BUTTON}>Sign in</a>
          <p class="quiet" style={QUIET}>
            Or open this link: <a href={link} style={LINK}>{link}</a>
          </p>
          <p class="quiet" style={QUIET}>{EXPIRY} {IGNORE}</p>
        </div>
      </body>
    </html>
  );
}
