import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";

// Many mail programs drop style sheets, so the light theme is inline.
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

/** Renders the HTML of a mail. The document loads no other resources. */
export function mailPage(title: string, children: ComponentChildren): string {
  return `<!doctype html>${
    renderToString(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          <style dangerouslySetInnerHTML={{ __html: DARK }} />
        </head>
        <body class="page" style={PAGE}>
          <div style={BODY}>
            <h1 style={HEADING}>{title}</h1>
            {children}
          </div>
        </body>
      </html>,
    )
  }`;
}

/** The mail's main link, as a button and as text. */
export function MailAction({ href, text }: { href: string; text: string }) {
  return (
    <>
      <a href={href} style={BUTTON}>{text}</a>
      <MailNote>
        Or open this link: <MailLink href={href} />
      </MailNote>
    </>
  );
}

export function MailLink({ href }: { href: string }) {
  return <a href={href} style={LINK}>{href}</a>;
}

export function MailNote({ children }: { children: ComponentChildren }) {
  return <p class="quiet" style={QUIET}>{children}</p>;
}
