/** Reads a mail in a test: its headers, text and HTML. */
import { Buffer } from "node:buffer";

/** A parsed mail of one or two parts. */
export interface ParsedMail {
  /** By lowercase name, unfolded and decoded. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** Parses an Internet message (RFC 5322) with its alternatives (RFC 2046). */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers["content-type"] ?? "")?.[1];
  const parts = boundary === undefined
    ? [{ headers, body }]
    : body.split(`--${boundary}`).slice(1, -1).map((part) => split(part.replace(/^\r\n/, "")));
  const content = (type: string) => {
    const part = parts.find(({ headers }) => headers["content-type"]?.startsWith(type));
    if (part === undefined) return "";
    return decodeBody(part.body, part.headers["content-transfer-encoding"]).trimEnd();
  };
  return { headers, text: content("text/plain"), html: content("text/html") };
}

function split(raw: string) {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw.slice(0, end).replace(/\r\n(?=[ \t])/g, "").split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), decodeWords(value)];
  }));
  return { headers, body: raw.slice(end + 4) };
}

function decodeBody(body: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  return decodeHex(body.replace(/=\r\n/g, "")).replaceAll("\r\n", "\n");
}

/** Encoded words (RFC 2047). */
const decodeWords = (value: string) =>
  value.replace(/\?=\s+=\?/g, "?==?").replace(
    /=\?utf-8\?([qb])\?([^?]*)\?=/gi,
    (_, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString()
        : decodeHex(word.replaceAll("_", " ")),
  );

const decodeHex = (value: string) =>
  value.replace(
    /(=[0-9A-F]{2})+/gi,
    (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString(),
  );
