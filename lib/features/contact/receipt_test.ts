import { assertEquals, assertNotEquals } from "@std/assert";
import { normaliseEmail } from "../../base/email.ts";
import { DIAL_CODES } from "./fields.ts";
import { maskEmail, maskMobile } from "./receipt.ts";

Deno.test("maskEmail() shows the first letters and the last label and hides the length", () => {
  const masked: [email: string, shown: string][] = [
    ["ada@example.org", "a•••@e•••.org"],
    ["a@example.org", "a•••@e•••.org"],
    ["augusta.ada.king-noel+list@e.org", "a•••@e•••.org"],
    ["ada@mail.deep.example.co.uk", "a•••@m•••.uk"],
    ["ünï@exämple.org", "ü•••@e•••.org"],
    ["𝓪da@x.org", "a•••@x•••.org"],
    ["𐐨bc@例え.jp", "𐐨•••@例•••.jp"],
    ["o'hara@xn--exmple-cua.org", "o•••@e•••.org"],
    ["ada@пример.рф", "a•••@п•••.рф"],
  ];
  for (const [email, shown] of masked) assertEquals(maskEmail(normaliseEmail(email)!), shown);
  assertNotEquals(maskEmail("b@example.org"), maskEmail("a@example.org"));
});

Deno.test("maskMobile() shows the dial code and three digits and hides the length", () => {
  const masked: [mobile: string, shown: string][] = [
    ["+61412345678", "+61 ••• ••• 678"],
    ["+12025550123", "+1 ••• ••• 123"],
    ["+85261234567", "+852 ••• ••• 567"],
    ["+971501234567", "+971 ••• ••• 567"],
    ["+4915123456789", "+49 ••• ••• 789"],
  ];
  for (const [mobile, shown] of masked) assertEquals(maskMobile(mobile), shown);
});

Deno.test("no dial code is a prefix of another", () => {
  const codes = new Set(DIAL_CODES.map(({ code }) => code));
  for (const one of codes) {
    for (const other of codes) if (one !== other) assertEquals(other.startsWith(one), false);
  }
});
