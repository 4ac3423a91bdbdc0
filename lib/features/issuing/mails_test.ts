import { assert, assertEquals } from "@std/assert";
import { headerText } from "../../platform/mail/address.ts";
import { mailText } from "./mails.ts";

for (
  const [text, most, mailed] of [
    ["Certificate III in Individual Support", 100, "Certificate III in Individual Support"],
    ["B.Sc. and Ph.D., version 1.25", 100, "B. Sc. and Ph.D., version 1.25"],
    ["Diploma\r\nBcc: eve@example.org", 100, "Diploma Bcc: eve at example. org"],
    ["You won at https://www.evil.example/a", 100, "You won at https www. evil. example/a"],
    ["evil.example", 100, "evil. example"],
    ["Zo\u200be\u2028Student \u202e", 100, "Zo e Student"],
    ["Grace Student", 8, "Grace S…"],
    ["😀😀😀", 2, "😀…"],
  ] as const
) {
  Deno.test(`mailText: ${JSON.stringify(text)} is ${JSON.stringify(mailed)} in a mail`, () => {
    const found = mailText(text, most);
    assertEquals(found, mailed);
    assert(headerText.safeParse(found).success);
  });
}
