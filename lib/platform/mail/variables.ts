/** The environment variables for mail, and which combinations of them are valid. */
import { z } from "zod";
import { formatSender, mailAddress, mailSender } from "./address.ts";
import { mailApiUrl } from "./http.ts";
import { heloOf, smtpHelo, smtpUrl } from "./smtp.ts";
import type { OrganisationKey, SenderKey } from "../surfaces/table.ts";
import { headerSecret, hostnameOf, textFor } from "../config/fields.ts";
import { MAX_RETURN_LOCAL } from "./return_path.ts";
import { secret } from "../config/secret_files.ts";
import type { SurfaceHosts } from "../config/surfaces.ts";

/** The sender of mails from the product and from each organisation. */
type Senders = Record<SenderKey, string>;

/** The way in which mail is sent. The settings that the chosen transport requires are set. */
export interface MailConfig {
  transport: "outbox" | "smtp" | "http";
  smtpUrl?: string;
  /** The name in the greeting to the SMTP server. */
  smtpHelo?: string;
  apiUrl?: string;
  apiKey?: string;
  /** The no-reply senders: `Name <address>` or only the address. */
  senders: Senders;
  /** The address to which mail servers report what became of mails; undefined for the senders' own. */
  returnPath?: string;
}

const sender = textFor(mailSender, "a sender such as Qualpack <no-reply@qualpack.example>")
  .optional();

export const mailVariables = {
  MAIL_TRANSPORT: z.enum(["outbox", "smtp", "http"], "outbox, smtp or http").optional(),
  SMTP_URL: secret(
    textFor(smtpUrl, "smtp://user:password@host:port, or smtps://…").optional(),
  ),
  SMTP_HELO: textFor(
    smtpHelo,
    "a host name such as site.example, or an address such as [192.0.2.1]",
  )
    .optional(),
  MAIL_API_URL: textFor(mailApiUrl, "an https URL").optional(),
  MAIL_API_KEY: secret(headerSecret("a key without spaces or control characters").optional()),
  MAIL_RETURN_PATH: textFor(
    mailAddress.refine((address) => address.split("@")[0].length <= MAX_RETURN_LOCAL),
    `an address such as bounces@site.example, with at most ${MAX_RETURN_LOCAL} characters before the @`,
  ).optional(),
  MAIL_FROM: sender,
  FOUNDATION_MAIL_FROM: sender,
  COMMERCIAL_MAIL_FROM: sender,
};

type Values = z.output<z.ZodObject<typeof mailVariables>>;

/** @param names the names of the default senders */
export function mailConfig(values: Values, names: Senders, hosts: SurfaceHosts): MailConfig {
  const senders = sendersOf(values, names, hosts);
  const product = mailSender.safeParse(senders.product);
  return {
    transport: values.MAIL_TRANSPORT ?? "outbox",
    smtpUrl: values.SMTP_URL,
    smtpHelo: values.SMTP_HELO ?? (product.success ? heloOf(product.data.address) : undefined),
    apiUrl: values.MAIL_API_URL,
    apiKey: values.MAIL_API_KEY,
    returnPath: values.MAIL_RETURN_PATH,
    senders,
  };
}

/**
 * Returns the configured senders, and defaults for the others. A default has the address of
 * `MAIL_FROM`, because a mail server that sends for one address may reject others; if `MAIL_FROM` is
 * not set, it has a no-reply address at the first host of the sender's site.
 */
function sendersOf(values: Values, names: Senders, hosts: SurfaceHosts): Senders {
  const [firstHost = "localhost"] = hosts.site ?? Object.values(hosts)[0] ?? [];
  const { MAIL_FROM: shared } = values;
  const at = (key: SenderKey, host = firstHost) => {
    const address = shared === undefined
      ? `no-reply@${hostnameOf(host)}`
      : mailSender.parse(shared).address;
    return formatSender({ name: names[key], address });
  };
  const hostOf = (key: OrganisationKey) => (hosts[key] ?? hosts[`${key}-console`])?.[0];
  return {
    product: shared ?? at("product"),
    foundation: values.FOUNDATION_MAIL_FROM ?? at("foundation", hostOf("foundation")),
    commercial: values.COMMERCIAL_MAIL_FROM ?? at("commercial", hostOf("commercial")),
  };
}

export function mailProblems(mail: MailConfig, production: boolean): string[] {
  const { transport, smtpUrl, apiUrl, apiKey, senders } = mail;
  const lines: string[] = [];
  if (production && transport === "outbox") {
    lines.push(
      "MAIL_TRANSPORT: should be smtp or http in production, which does not show the outbox",
    );
  }
  const needed = {
    outbox: {},
    smtp: { SMTP_URL: smtpUrl },
    http: { MAIL_API_URL: apiUrl, MAIL_API_KEY: apiKey },
  };
  if (mail.returnPath !== undefined && transport !== "smtp") {
    lines.push("MAIL_RETURN_PATH: should only be set with MAIL_TRANSPORT=smtp");
  }
  for (const [name, value] of Object.entries(needed[transport])) {
    if (value === undefined) {
      lines.push(`${name}: should be set, because MAIL_TRANSPORT is ${transport}`);
    }
  }
  for (const [key, { variable, name }] of Object.entries(SENDERS)) {
    // A problem that several senders share is reported once.
    const hasOwnLine = lines.some((line) => line.startsWith("MAIL_FROM:"));
    if (!hasOwnLine && !mailSender.safeParse(senders[key as SenderKey]).success) {
      lines.push(
        `${variable}: should be set, because ${name} and the first host do not form a valid sender`,
      );
    }
  }
  return lines;
}

const SENDERS: Record<SenderKey, { variable: string; name: string }> = {
  product: { variable: "MAIL_FROM", name: "PRODUCT_NAME" },
  foundation: { variable: "FOUNDATION_MAIL_FROM", name: "FOUNDATION_NAME" },
  commercial: { variable: "COMMERCIAL_MAIL_FROM", name: "COMMERCIAL_NAME" },
};
