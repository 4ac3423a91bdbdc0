import { assertEquals } from "@std/assert";
import { supportOf } from "./support.ts";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15";

Deno.test("only a browser without push on an iPhone or iPad needs the Home Screen", () => {
  const cases = [
    [IPHONE, 5, false, "home_screen"],
    [IPHONE, 5, true, "ok"], // in the installed app
    [MAC, 5, false, "home_screen"], // an iPad
    [MAC, 0, false, "unsupported"],
    [MAC, 0, true, "ok"],
    ["Mozilla/5.0 (X11; Linux x86_64)", 10, false, "unsupported"],
  ] as const;
  for (const [userAgent, maxTouchPoints, hasPush, support] of cases) {
    assertEquals(supportOf({ userAgent, maxTouchPoints, hasPush }), support, userAgent);
  }
});
