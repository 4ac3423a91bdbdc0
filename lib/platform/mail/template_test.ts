import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createMail, type MailContent, senderOf } from "./template.tsx";

const ORGANISATIONS = {
  foundation: {
    name: "Open Records Foundation",
    contactEmail: "contact@foundation.example",
    registration: "ABN 11 222 333 444, 1 Paper Street, Hobart",
  },
  commercial: { name: "Attest Systems", contactEmail: "contact@commercial.example" },
};

const CONTENT: Omit<MailContent, "sender"> = {
  to: "ada@example.org",
  subject: "A subject",
  title: "A title",
  parts: [
    "A paragraph with <b>.",
    { facts: [["When", "1 Mar 2026"]] },
    { link: "https://trust.example/confirm?token=abc", text: "Confirm" },
    { quote: "First\nSecond", from: "Message" },
    { note: "A note with a link:", href: "https://trust.example/verify" },
  ],
  because: "this address was entered in a form",
};

/** Returns the text of a mail's HTML, without white space. */
const textIn = (html: string) =>
  html.replace(/<(title|style)>.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replace(/\s/g, "");

Deno.test("the text and the HTML contain every part, the organisation, its address and the reason", () => {
  const { text, html } = createMail({ ...CONTENT, sender: senderOf(ORGANISATIONS, "foundation") });
  const parts = [
    "A title",
    "A paragraph with <b>.",
    "When: 1 Mar 2026",
    "https://trust.example/confirm?token=abc",
    "Confirm",
    "Message:",
    "Second",
    "A note with a link:",
    "https://trust.example/verify",
    "Open Records Foundation, ABN 11 222 333 444, 1 Paper Street, Hobart",
    "contact@foundation.example",
    "You receive this because this address was entered in a form.",
  ];
  for (const part of parts) {
    assertStringIncludes(text, part);
    assertStringIncludes(textIn(html), part.replace(/\s/g, ""));
  }
  assert(text.split("\n").includes("https://trust.example/confirm?token=abc"), "on its own line");
  assertStringIncludes(text, "> First\n> Second");
});

Deno.test("each organisation's mails have its mark and colours, in light and dark, and load nothing", () => {
  const mails = (["foundation", "commercial"] as const).map((key) =>
    createMail({ ...CONTENT, sender: senderOf(ORGANISATIONS, key) }).html
  );
  for (const html of mails) {
    assertStringIncludes(html, `<meta name="color-scheme" content="light dark"`);
    assertStringIncludes(html, "@media (prefers-color-scheme: dark)");
    assert(!/<(script|img|iframe|link|svg)\b|url\(/.test(html));
  }
  const colours = mails.map((html) => new Set(html.match(/#[0-9a-f]{6}/g)));
  assertEquals([...colours[0].intersection(colours[1])], ["#ffffff"]);
});

Deno.test("a mail of the product names the product and the organisation that runs it", () => {
  const sender = senderOf(ORGANISATIONS, "product", "Qualpack");
  const { text, html, sender: key } = createMail({ ...CONTENT, sender });
  assertEquals(key, "product");
  assertStringIncludes(text, "Qualpack is a service of Attest Systems\ncontact@commercial");
  assertStringIncludes(html, ">Qualpack</td>");
});
