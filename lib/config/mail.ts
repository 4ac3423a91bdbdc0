import { z } from "zod";
import { formatSender, mailSender } from "../mail/address.ts";
import { mailApiUrl } from "../mail/http.ts";
import { smtpUrl } from "../mail/smtp.ts";
import { headerSecret, hostnameOf, textFor } from "./fields.ts";

/** How mail is sent. The settings that the chosen transport requires are set. */
export interface MailConfig {
  transport: "outbox" | "smtp" | "http";
  smtpUrl?: string;
  apiUrl?: string;
  apiKey?: string;
  /** The no-reply sender: `Name <address>` or the address alone. */
  from: string;
}

export const mailVariables = {
  MAIL_TRANSPORT: z.enum(["outbox", "smtp", "http"], "outbox, smtp or http").optional(),
  SMTP_URL: textFor(smtpUrl, "smtp://user:password@host:port, or smtps://…").optional(),
  MAIL_API_URL: textFor(mailApiUrl, "an https URL").optional(),
  MAIL_API_KEY: headerSecret("a key without spaces or control characters").optional(),
  MAIL_FROM: textFor(mailSender, "a sender such as Qualpack <no-reply@qualpack.example>")
    .optional(),
};

type Values = z.output<z.ZodObject<typeof mailVariables>>;

/** @param firstHost the host in the default sender's address */
export function mailConfig(values: Values, productName: string, firstHost: string): MailConfig {
  const address = `no-reply@${hostnameOf(firstHost)}`;
  return {
    transport: values.MAIL_TRANSPORT ?? "outbox",
    smtpUrl: values.SMTP_URL,
    apiUrl: values.MAIL_API_URL,
    apiKey: values.MAIL_API_KEY,
    from: values.MAIL_FROM ?? formatSender({ name: productName, address }),
  };
}

export function mailProblems(mail: MailConfig, values: Values, production: boolean): string[] {
  const { transport, smtpUrl, apiUrl, apiKey, from } = mail;
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
  for (const [name, value] of Object.entries(needed[transport])) {
    if (value === undefined) {
      lines.push(`${name}: should be set, because MAIL_TRANSPORT is ${transport}`);
    }
  }
  if (values.MAIL_FROM === undefined && !mailSender.safeParse(from).success) {
    lines.push(
      "MAIL_FROM: should be set, because PRODUCT_NAME and the first host do not form a valid sender",
    );
  }
  return lines;
}
