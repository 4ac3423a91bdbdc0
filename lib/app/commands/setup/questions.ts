/**
 * The six questions of `deno task setup`, and the variables that their answers set.
 *
 * @module
 */
import { hostsBelow } from "../../../platform/surfaces/surfaces.ts";

/** Variables by their names. */
export type Variables = Record<string, string>;

/** One question of `deno task setup`. Its name is also the flag that answers it. */
export interface Question {
  name: "domain" | "organisations" | "mail" | "proxy" | "administrators" | "bank";
  text: string;
  /** The comment above the variables of the answer. */
  comment: string;
  /** The form of an answer, for the message about one that is not valid. */
  form: string;
  /** The answer for an empty line. Default: none. */
  otherwise?: string;
  /** Returns the variables that an answer sets; null if it does not have the form. */
  variables(answer: string): Variables | null;
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** The hosts, and addresses below the same domain, which nobody else can own. */
function domainVariables(answer: string): Variables | null {
  const domain = answer.toLowerCase();
  if (!DOMAIN.test(domain)) return null;
  return {
    SURFACE_HOSTS: JSON.stringify(hostsBelow(domain)),
    MAIL_FROM: `no-reply@${domain}`,
    FOUNDATION_CONTACT_EMAIL: `contact@${domain}`,
    FOUNDATION_CODE_HOST_URL: `https://code.${domain}/foundation`,
    COMMERCIAL_CONTACT_EMAIL: `contact@${domain}`,
    COMMERCIAL_CODE_HOST_URL: `https://code.${domain}/commercial`,
  };
}

function organisationVariables(answer: string): Variables | null {
  const [foundation, commercial, ...others] = answer.split(";").map((name) => name.trim());
  if (!foundation || !commercial || others.length > 0) return null;
  return { FOUNDATION_NAME: foundation, COMMERCIAL_NAME: commercial };
}

function mailVariables(answer: string): Variables | null {
  if (/^smtps?:/.test(answer)) return { MAIL_TRANSPORT: "smtp", SMTP_URL: answer };
  const api = withKey(answer);
  if (api === null) return null;
  return { MAIL_TRANSPORT: "http", MAIL_API_URL: api.url, MAIL_API_KEY: api.key };
}

function bankVariables(answer: string): Variables | null {
  if (answer === "later") return {};
  const api = withKey(answer);
  return api === null ? null : { BANK_API_BASE: api.url, BANK_API_TOKEN: api.key };
}

/** Splits `https://<key>@<address>`; returns null for any other text. */
function withKey(text: string): { url: string; key: string } | null {
  const [, key, address] = /^https:\/\/([^@\s]+)@([^@\s]+)$/.exec(text) ?? [];
  return key === undefined ? null : { url: `https://${address}`, key };
}

export const QUESTIONS: readonly Question[] = [
  {
    name: "domain",
    text: "The domain below which the hosts of all surfaces are, such as records.org",
    comment:
      "The surfaces and their hosts: remove those that you do not serve. The addresses and the code\n" +
      "hosts are below the same domain: change those that are elsewhere.",
    form: "a domain",
    variables: domainVariables,
  },
  {
    name: "organisations",
    text: "The names of the foundation and of the commercial organisation, separated by ;",
    comment: "The organisations.",
    form: "two names, separated by ;",
    variables: organisationVariables,
  },
  {
    name: "mail",
    text: "The mail server, smtp://user:password@host:587, or the API, https://key@host/path",
    comment: "How mail is sent.",
    form: "smtp://user:password@host:587, or https://key@host/path",
    variables: mailVariables,
  },
  {
    name: "proxy",
    text: "The proxy on this machine: nginx, caddy, or other for one that you configure [nginx]",
    comment:
      "The number of proxies, each of which replaces or extends X-Forwarded-For. A larger number than\n" +
      "there are lets clients choose their address.",
    form: "nginx, caddy or other",
    otherwise: "nginx",
    // The files of the first two replace X-Forwarded-For. Behind another proxy, clients could choose it.
    variables: (answer) =>
      ["nginx", "caddy", "other"].includes(answer)
        ? { TRUST_PROXY: answer === "other" ? "0" : "1" }
        : null,
  },
  {
    name: "administrators",
    text: "The email addresses of at least one administrator, better two, separated by commas",
    comment: "The administrators of both consoles, whom nobody can change there.",
    form: "email addresses, separated by commas",
    variables: (answer) =>
      answer.replaceAll(/[\s,]/g, "") === "" ? null : { OPS_L1_EMAILS: answer },
  },
  {
    name: "bank",
    text: "The API of the bank, https://token@host/path, or later [later]",
    comment: "The bank.",
    form: "https://token@host/path, or later",
    otherwise: "later",
    variables: bankVariables,
  },
];
