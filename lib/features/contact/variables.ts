/** The settings of the contact form. */
import type { z } from "zod";
import {
  emails,
  headerSecret,
  httpUrl,
  oneLine,
  origins,
  text,
  wholeNumber,
} from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import {
  defineSettings,
  type Deployment,
  type SettingsContext,
} from "../../platform/config/settings.ts";

export interface ContactConfig {
  /** Registrations per hour from one client address; 0 for no limit. */
  clientLimit: number;
  /** Browser origins that may embed the form besides our own surfaces. */
  origins: string[];
  /** Further recipients of the digest of the inboxes. */
  notify: string[];
  /** The role and reply time that the investor page names; undefined where it promises nothing. */
  investors: { role?: string; replyTime?: string };
  challenge?: ChallengeConfig;
}

/** The bot challenge: the script that pages load and the endpoint that verifies a response. */
export interface ChallengeConfig {
  siteKey: string;
  secret: string;
  verifyUrl: string;
  scriptUrl: string;
}

/** The commit of a digest contains a mail to each recipient, and may have at most 800 KiB. */
const MAX_NOTIFIED = 10;
const NOTIFIED = `at most ${MAX_NOTIFIED} email addresses, separated by commas`;

/** A few words in a sentence of the investor page. */
const shortLine = oneLine.max(80, "at most 80 characters");

const variables = {
  CONTACT_CLIENT_LIMIT: wholeNumber("registrations per hour up to 5000, 0 for no limit", 5000)
    .default(20),
  CONTACT_ORIGINS: origins.default([]),
  CONTACT_NOTIFY: emails.refine((list) => list.length <= MAX_NOTIFIED, NOTIFIED).default([]),
  INVESTOR_CONTACT_ROLE: shortLine.optional(),
  INVESTOR_REPLY_TIME: shortLine.optional(),
  CHALLENGE_SITE_KEY: text.optional(),
  CHALLENGE_SECRET: secret(headerSecret("a secret without spaces").optional()),
  CHALLENGE_VERIFY_URL: httpUrl.optional(),
  CHALLENGE_SCRIPT_URL: httpUrl.optional(),
};

type Values = z.output<z.ZodObject<typeof variables>>;

function contactConfig(values: Values): ContactConfig {
  const {
    CHALLENGE_SITE_KEY: siteKey,
    CHALLENGE_SECRET: secret,
    CHALLENGE_VERIFY_URL: verifyUrl,
    CHALLENGE_SCRIPT_URL: scriptUrl,
  } = values;
  return {
    clientLimit: values.CONTACT_CLIENT_LIMIT,
    origins: values.CONTACT_ORIGINS,
    notify: values.CONTACT_NOTIFY,
    investors: { role: values.INVESTOR_CONTACT_ROLE, replyTime: values.INVESTOR_REPLY_TIME },
    challenge: siteKey && secret && verifyUrl && scriptUrl
      ? { siteKey, secret, verifyUrl, scriptUrl }
      : undefined,
  };
}

function contactProblems(values: Values, { production }: SettingsContext): string[] {
  const lines: string[] = [];
  const challenge = [
    "CHALLENGE_SITE_KEY",
    "CHALLENGE_SECRET",
    "CHALLENGE_VERIFY_URL",
    "CHALLENGE_SCRIPT_URL",
  ] as const;
  const missing = challenge.filter((name) => !values[name]);
  if (missing.length < challenge.length) {
    lines.push(
      ...missing.map((name) =>
        `${name}: should be set, because other CHALLENGE_ variables are set`
      ),
    );
  }
  for (const name of ["CHALLENGE_VERIFY_URL", "CHALLENGE_SCRIPT_URL"] as const) {
    if (production && values[name]?.startsWith("http://")) {
      lines.push(`${name}: should be an https URL in production`);
    }
  }
  return lines;
}

function contactOff({ contact, surfaceHosts }: { contact: ContactConfig } & Deployment): string[] {
  if (surfaceHosts.api === undefined) return [];
  const off: string[] = [];
  if (contact.challenge === undefined) off.push("the bot challenge: CHALLENGE_SECRET is not set");
  if (contact.clientLimit === 0) off.push("the contact form's limit: CONTACT_CLIENT_LIMIT is 0");
  return off;
}

export const contactSettings = defineSettings({
  variables,
  config: (values) => ({ contact: contactConfig(values) }),
  problems: contactProblems,
  off: contactOff,
});
