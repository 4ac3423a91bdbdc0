/** The common layout of all mails, as HTML and as plain text. */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { OrganisationConfig } from "../config/organisations.ts";
import type { OrganisationKey, SenderKey } from "../surfaces/table.ts";
import type { Mail } from "./mail.ts";

/** The parts of an organisation that its mails show. */
export type MailOrganisation = Pick<OrganisationConfig, "name" | "contactEmail" | "registration">;

/** The organisation or product whose name and colours a mail has. */
export interface MailSender {
  key: SenderKey;
  /** The organisation's or the product's name. */
  name: string;
  organisation: MailOrganisation;
}

/** Returns the organisation that sends a mail: the commercial one for mails of the product. */
export const organisationOfMail = (sender: string | undefined): OrganisationKey =>
  sender === "foundation" ? "foundation" : "commercial";

/** @param product the name of the product, for its mails */
export function senderOf(
  organisations: Record<OrganisationKey, MailOrganisation>,
  key: SenderKey,
  product?: string,
): MailSender {
  const organisation = organisations[organisationOfMail(key)];
  return { key, name: product ?? organisation.name, organisation };
}

/** A part of a mail's body: a paragraph, or one of the others. */
export type MailPart =
  | string
  /** Begins a section. */
  | { heading: string }
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** The main link, as a button and as text. */
  | { link: string; text: string }
  /** A text in small type, which may end with a link. */
  | { note: string; href?: string }
  /** Text that a person of the organisation wrote, with its line breaks. */
  | { written: string }
  /** Text that somebody else wrote. */
  | { quote: string; from: string };

export interface MailContent {
  sender: MailSender;
  to: string;
  /** The person who wrote it. Absent if the site did. */
  author?: string;
  subject: string;
  title: string;
  parts: readonly MailPart[];
  /** Completes "You receive this because". */
  because: string;
}

/**
 * Creates a mail in its organisation's frame: its mark, colours, name, address and why the mail was
 * sent. The text and the HTML have the same parts. The HTML loads nothing.
 */
export function createMail({ title, parts, because, ...mail }: MailContent): Mail {
  const { sender, to, author, subject } = mail;
  const { organisation, name } = sender;
  const service = name === organisation.name ? "" : `${name} is a service of `;
  const foot = [
    service + [organisation.name, organisation.registration].filter(Boolean).join(", "),
    organisation.contactEmail,
    `You receive this because ${because}.`,
  ];
  return {
    sender: sender.key,
    to,
    replyTo: organisation.contactEmail, // the sender's address receives no mail
    ...author === undefined ? {} : { author },
    subject,
    text: `${[title, ...parts.map(textOf), foot.join("\n")].join("\n\n")}\n`,
    html: `<!doctype html>${renderToString(<Frame {...{ sender, title, parts, foot }} />)}`,
  };
}

function textOf(part: MailPart): string {
  if (typeof part === "string") return part;
  if ("heading" in part) return part.heading;
  if ("facts" in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  if ("link" in part) return `${part.text}:\n${part.link}`;
  if ("written" in part) return part.written;
  if ("quote" in part) return `${part.from}:\n${part.quote.replace(/^/gm, "> ")}`;
  return part.href === undefined ? part.note : `${part.note}\n${part.href}`;
}

/** Mail programs know no custom properties, so the light colours are inline and the dark ones follow. */
const LOOKS = {
  foundation: {
    font: "Georgia, 'Times New Roman', serif",
    radius: 0,
    light: { back: "#f1ede2", card: "#fffdf8", line: "#d8d1c1", text: "#1b1813", quiet: "#5c5548" },
    accent: { back: "#2b3f8f", text: "#2b3f8f" },
    dark: { back: "#15130f", card: "#1d1a15", line: "#3c362b", text: "#ece6d9", quiet: "#aea695" },
    darkLink: "#a9b8f4",
  },
  commercial: {
    font: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    radius: 12,
    light: { back: "#eef2f6", card: "#ffffff", line: "#d7dde4", text: "#131c2b", quiet: "#526072" },
    accent: { back: "#0f766e", text: "#0f6b64" },
    dark: { back: "#0d141f", card: "#16202f", line: "#2a3649", text: "#e9eef5", quiet: "#a3aebd" },
    darkLink: "#4ecdc4",
  },
} as const;

type Look = typeof LOOKS[OrganisationKey];

const darkStyles = ({ dark, darkLink }: Look) =>
  `@media (prefers-color-scheme: dark) {
  .back { background: ${dark.back} !important; color: ${dark.text} !important; }
  .card { background: ${dark.card} !important; border-color: ${dark.line} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .link, .mark { color: ${darkLink} !important; border-color: ${darkLink} !important; }
  .fill { background: ${darkLink} !important; color: ${dark.card} !important; }
}`;

const SMALL = "margin: 24px 0 0; font-size: 14px; overflow-wrap: anywhere;";

function Frame({ sender, title, parts, foot }: {
  sender: MailSender;
  title: string;
  parts: readonly MailPart[];
  foot: readonly string[];
}) {
  const key = organisationOfMail(sender.key);
  const look: Look = LOOKS[key];
  const { light, accent, font, radius } = look;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: darkStyles(look) }} />
      </head>
      <body
        class="back"
        style={`margin: 0; padding: 32px 16px; background: ${light.back}; color: ${light.text}; ` +
          `font: 16px/1.5 ${font};`}
      >
        <div style="max-width: 520px; margin: 0 auto;">
          <Cells style="margin: 0 0 16px;">
            <td style="padding: 0 10px 0 0;">
              {key === "foundation"
                ? <Leaves accent={accent.back} />
                : <Tile accent={accent.back} />}
            </td>
            <td style="font-weight: 600;">{sender.name}</td>
          </Cells>
          <div
            class="card"
            style={`padding: 28px 24px 32px; border: 1px solid ${light.line}; ` +
              `border-radius: ${radius}px; background: ${light.card};`}
          >
            <h1 style="margin: 0 0 20px; font-size: 22px; line-height: 1.3;">{title}</h1>
            {parts.map((part, i) => <Part key={i} {...{ part, look }} />)}
          </div>
          <p class="quiet" style={`${SMALL} margin: 20px 0 0; color: ${light.quiet};`}>
            {foot.map((line, i) => (
              <>
                {i > 0 && <br />}
                {line}
              </>
            ))}
          </p>
        </div>
      </body>
    </html>
  );
}

function Part({ part, look: { light, accent, radius } }: { part: MailPart; look: Look }) {
  const link = (href: string) => (
    <a class="link" href={href} style={`color: ${accent.text};`}>{href}</a>
  );
  const small = (children: ComponentChildren) => (
    <p class="quiet" style={`${SMALL} color: ${light.quiet};`}>{children}</p>
  );
  if (typeof part === "string") return <p style="margin: 0 0 20px;">{part}</p>;
  if ("heading" in part) {
    return <h2 style="margin: 28px 0 8px; font-size: 18px; line-height: 1.3;">{part.heading}</h2>;
  }
  if ("facts" in part) {
    return (
      <div style="margin: 0 0 20px;">
        {part.facts.map(([name, value]) => (
          <p style="margin: 0 0 8px; overflow-wrap: anywhere;">
            <strong>{name}:</strong> {value}
          </p>
        ))}
      </div>
    );
  }
  if ("link" in part) {
    return (
      <>
        <a
          href={part.link}
          style={`display: inline-block; padding: 12px 24px; border-radius: ${radius}px; ` +
            `background: ${accent.back}; color: #ffffff; font-weight: 600; text-decoration: none;`}
        >
          {part.text}
        </a>
        {small(<>Or open this link: {link(part.link)}</>)}
      </>
    );
  }
  if ("written" in part) {
    return (
      <p style="margin: 0 0 20px; white-space: pre-wrap; overflow-wrap: anywhere;">
        {part.written}
      </p>
    );
  }
  if ("quote" in part) {
    return (
      <p
        style={`margin: 0 0 20px; padding: 0 0 0 16px; border-left: 3px solid ${light.line}; ` +
          "white-space: pre-wrap; overflow-wrap: anywhere;"}
      >
        <strong>{part.from}:</strong>
        <br />
        {part.quote}
      </p>
    );
  }
  return small(<>{part.note} {part.href !== undefined && link(part.href)}</>);
}

/** A table of one row. Mail programs show no SVG, so the marks consist of cells. */
const Cells = ({ style, children }: { style: string; children: ComponentChildren }) => (
  <table role="presentation" cellPadding="0" cellSpacing="0" style={style}>
    <tr>{children}</tr>
  </table>
);

/** The commercial organisation's mark: a letter on a tile. */
const Tile = ({ accent }: { accent: string }) => (
  <div
    class="fill"
    aria-hidden="true"
    style={`width: 28px; border-radius: 8px; background: ${accent}; color: #ffffff; ` +
      "font-weight: 700; line-height: 28px; text-align: center;"}
  >
    A
  </div>
);

/** The foundation's mark: two squares, which overlap in the middle. The sides have borders. */
const LEAVES = [["top left", "top right", ""], ["left bottom", "fill", "top right"], [
  "",
  "left bottom",
  "right bottom",
]];

const Leaves = ({ accent }: { accent: string }) => (
  <table
    role="presentation"
    aria-hidden="true"
    cellPadding="0"
    cellSpacing="0"
    style="border-collapse: separate;"
  >
    {LEAVES.map((row) => (
      <tr>
        {row.map((cell) => {
          const filled = cell === "fill";
          const sides = filled || cell === "" ? [] : cell.split(" ");
          const borders = sides.map((side) => `border-${side}: 2px solid ${accent};`).join(" ");
          return (
            <td
              class={filled ? "fill" : "mark"}
              style={`width: 8px; height: 8px; padding: 0; font-size: 0; box-sizing: border-box; ` +
                (filled ? `background: ${accent};` : borders)}
            />
          );
        })}
      </tr>
    ))}
  </table>
);
