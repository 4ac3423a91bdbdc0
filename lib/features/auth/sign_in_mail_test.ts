import { assert, assertEquals, assertThrows } from "@std/assert";
import { MailError, type MailSender } from "../../platform/mail/mod.ts";
import { signInMail } from "./sign_in_mail.ts";

const senderCalled = (name: string): MailSender => ({
  key: "product",
  name,
  organisation: { name: "Attest Systems", contactEmail: "contact@commercial.example" },
});

const OPTIONS = {
  sender: senderCalled("Qualpack"),
  link: "https://qualpack.example/auth/verify?token=pJ-3_0aGq9mX",
  to: "ada@example.org",
};

Deno.test("the text and the HTML contain the link, the 15 minutes, and that the mail can be ignored", () => {
  const { to, subject, text, html, replyTo } = signInMail(OPTIONS);
  assertEquals({ to, subject, replyTo }, {
    to: "ada@example.org",
    subject: "Sign in to Qualpack",
    replyTo: "contact@commercial.example",
  });
  for (const part of [text, html]) {
    assert(part.includes(OPTIONS.link));
    assert(part.includes("expires in 15 minutes"));
    assert(part.includes("If you did not ask to sign in, you can ignore this email."));
  }
  assert(text.split("\n").includes(OPTIONS.link), "on its own line");
});

Deno.test("the HTML is a complete document with a button and the link as text, and loads nothing", () => {
  const { html } = signInMail(OPTIONS);
  assert(html.startsWith("<!doctype html><html"));
  assertEquals(html.split(`href="${OPTIONS.link}"`).length - 1, 2);
  assert(html.includes(`>${OPTIONS.link}</a>`));
  assert(html.includes("@media (prefers-color-scheme: dark)"));
  assert(!/<(script|img|iframe|link)\b/.test(html), "it loads nothing");
});

Deno.test("the product and the link are escaped in the HTML", () => {
  const { html, subject, text } = signInMail({
    ...OPTIONS,
    sender: senderCalled(`<b>"A" & 'B'</b>`),
    link: `https://qualpack.example/auth/verify?a=1&b="><script>alert(1)</script>`,
  });
  assertEquals(subject, `Sign in to <b>"A" & 'B'</b>`);
  assert(text.includes(`Sign in to <b>"A" & 'B'</b>`));
  assert(!html.includes("<b>") && !html.includes("<script>"));
  assert(html.includes("&lt;b>") || html.includes("&lt;b&gt;"));
  assert(html.includes("a=1&amp;b=&quot;"));
});

Deno.test("an address, product or link that could start a header or add a recipient is rejected", () => {
  const bad = [
    { to: "ada@example.org\r\nBcc: eve@example.org" },
    { to: "ada@example.org\n" },
    { to: "ada@example.org,eve@example.org" },
    { to: "Ada <ada@example.org>" },
    { to: "ada@example.org eve@example.org" },
    { to: '"ada"@example.org' },
    { to: "ada@@example.org" },
    { to: "ada" },
    { to: `${"a".repeat(65)}@example.org` },
    { to: `ada@${"e".repeat(255)}.org` },
    { to: "ada@exa\u0000mple.org" },
    { to: "ada\u2028@example.org" },
    { sender: senderCalled("Qualpack\r\nBcc: eve@example.org") },
    { sender: senderCalled("Qualpack\nX: y") },
    { sender: senderCalled("Qual\u0085pack") },
    { link: "javascript:alert(1)" },
    { link: "/auth/verify?token=abc" },
    { link: "https://qualpack.example/\r\nhello" },
    { link: "https://qualpack.example/a b" },
  ];
  for (const change of bad) {
    const error: MailError = assertThrows(() => signInMail({ ...OPTIONS, ...change }), MailError);
    assertEquals(error.code, "invalid_mail");
    assert(
      !error.message.includes("example"),
      "an error may be logged, so it must not contain the address",
    );
  }
  for (
    const to of ["ada+tag@example.org", "o'hara@example.org", "ünï@exämple.org", "a.b-c_d@e.f"]
  ) {
    assertEquals(signInMail({ ...OPTIONS, to }).to, to);
  }
});
