import { assertEquals, assertNotEquals } from "@std/assert";
import type { z } from "zod";
import { normaliseEmail } from "../lib/base/email.ts";
import { digitsOf } from "../lib/base/six_digits.ts";
import { transactionList } from "../lib/features/bank/mod.ts";
import { findHash } from "../packages/proof/mod.ts";
import { sentHash } from "../lib/features/chain/mod.ts";
import { sendSchema } from "../lib/features/codes/input.ts";
import { submissionSchema } from "../lib/features/contact/mod.ts";
import { findDocumentId, parseDocumentId } from "../lib/features/documents/ids.ts";
import { requesterSchema } from "../lib/features/documents/access/input.ts";
import { findSha256 } from "../lib/features/documents/checks/sha256_input.ts";
import { normaliseDomain } from "../lib/features/issuers/domain_name.ts";
import { batchDefaults, batchDocument, columnOf } from "../lib/features/issuing/batches/columns.ts";
import { listSchema, newDocumentSchema } from "../lib/features/issuing/input.ts";
import { createCatalogue, listingQuerySchema } from "../lib/features/qualifications/mod.ts";
import { findKey, newKey } from "../lib/features/records/keys/key_code.ts";
import { newEndpointSchema } from "../lib/features/webhooks/input.ts";
import { email as configuredEmail, text as configuredText } from "../lib/platform/config/fields.ts";

/** Characters that address books, messengers, spreadsheets, web pages and PDFs put around a text and between its groups. */
const MARKS = [
  ..."\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e",
  ..."\u2060\u2061\u2066\u2067\u2068\u2069\u206a\ufe0e\ufe0f\ufeff\ufff9\ufffc\u2800\u3164",
  "\u{e0020}",
  "\u{e0100}",
];
/** Characters that are trimmed at the ends, but separate groups inside. */
const SPACES = [..."\u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000\t\n\r\u000b\f "];

const HASH = "0123456789abcdef".repeat(4);
const KEY = newKey();
const ISSUE = {
  recipient: { name: "Zoë", email: "zoe@example.org" },
  title: "Diploma",
  type: "Diploma",
};
const ROW = { ...ISSUE.recipient, title: "Diploma", type: "Diploma", date: "2026-11-20" };
const ENQUIRY = { name: "Zoë", email: "zoe@example.org", elapsed_ms: 5_000 };
const catalogue = createCatalogue();

const parsed = (schema: z.ZodType, value: (text: string) => unknown) => (text: string) =>
  schema.parse(value(text));

/** Every field whose value has a canonical form, with a function that reads it. */
const FIELDS: Record<string, [valid: string, read: (text: string) => unknown]> = {
  "an email address": ["Zoe@example.org", normaliseEmail],
  "the form's email address": [
    "zoe@example.org",
    parsed(submissionSchema, (email) => ({ ...ENQUIRY, email })),
  ],
  "the form's mobile number": [
    "0491 570 006",
    parsed(submissionSchema, (number) => ({ ...ENQUIRY, mobile: { country: "AU", number } })),
  ],
  "the number for a code": [
    "0491 570 006",
    parsed(sendSchema, (number) => ({ method: "sms", mobile: { country: "AU", number } })),
  ],
  "the number for a code in E.164": [
    "+61491570006",
    parsed(sendSchema, (mobile) => ({ method: "sms", mobile })),
  ],
  "the email address of a request": [
    "zoe@example.org",
    parsed(requesterSchema, (email) => ({ name: "Zoë", email, reason: "A reason" })),
  ],
  "six digits": ["123 456", digitsOf],
  "a record's hash": [HASH.toUpperCase(), findHash],
  "a record's hash of a program": [HASH, parsed(sentHash, String)],
  "a file's hash": [HASH.toUpperCase(), findSha256],
  "a key": [KEY, findKey],
  "a document's number": ["7K3M-9Q2X-B4TW-0ZRA", parseDocumentId],
  "a document's number in a text": ["Document 7K3M-9Q2X-B4TW-0ZRA", findDocumentId],
  "an issuer's domain": ["harbour.example.org", normaliseDomain],
  "a column of a CSV file": ["External ID", columnOf],
  "a row's email address": [
    "zoe@example.org",
    parsed(batchDocument, (email) => ({ ...ROW, email })),
  ],
  "a row's day": ["2026-11-20", parsed(batchDocument, (date) => ({ ...ROW, date }))],
  "a row's id": [
    "A-1",
    parsed(batchDocument, (external_id) => ({ ...ROW, external_id })),
  ],
  "the day of all rows": ["2026-11-20", parsed(batchDefaults, (date) => ({ date }))],
  "an API's day": ["2026-11-20", parsed(newDocumentSchema, (date) => ({ ...ISSUE, date }))],
  "an API's id": ["A-1", parsed(newDocumentSchema, (external_id) => ({ ...ISSUE, external_id }))],
  "an API's email address": [
    "zoe@example.org",
    parsed(newDocumentSchema, (email) => ({ ...ISSUE, recipient: { ...ISSUE.recipient, email } })),
  ],
  "an API's filter by email": ["zoe@example.org", parsed(listSchema, (email) => ({ email }))],
  "a webhook's address": [
    "https://example.org/hook",
    parsed(newEndpointSchema, (url) => ({ url })),
  ],
  "a qualification's code": ["BSB50120", (code) => catalogue.get(code)],
  "a training package": ["bsb", parsed(listingQuerySchema, (each) => ({ package: each }))],
  "a list's day": ["2026-11-20", (start) => transactionList.parse({ start })],
  "a list's amount": ["1,234.50", (min) => transactionList.parse({ min })],
  "a configured address": ["zoe@example.org", parsed(configuredEmail, String)],
  "a configured text": ["value", parsed(configuredText, String)],
};

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

for (const [name, [valid, read]] of Object.entries(FIELDS)) {
  Deno.test(`${name} is the same with invisible marks around it and in it, and with spaces around it`, () => {
    const expected = read(valid);
    assertNotEquals(outcomeOf(() => read("?")), expected);
    for (const mark of MARKS) {
      const middle = Math.floor(valid.length / 2);
      const inside = valid.slice(0, middle) + mark + valid.slice(middle);
      for (const text of [mark + valid, valid + mark, `${mark}${valid}${mark}${mark}`, inside]) {
        assertEquals(read(text), expected, JSON.stringify(text));
      }
    }
    for (const space of SPACES) {
      for (const text of [space + valid, valid + space, `\u202d${space}${valid}\u202c${space}`]) {
        assertEquals(read(text), expected, JSON.stringify(text));
      }
    }
  });
}
