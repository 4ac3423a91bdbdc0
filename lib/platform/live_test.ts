import { assertEquals, assertThrows } from "@std/assert";
import { createLiveConfig } from "./live.ts";

const start = () => createLiveConfig({ bank: { token: "a" }, mail: { key: "a" } });

Deno.test("replacing the configuration builds what depends on the changed part, and ends the old one", () => {
  const { config, live, replace } = start();
  const ended: string[] = [];
  const bank = live(
    () => config.bank,
    ({ token }) => ({ token }),
    (old, next) => ended.push(`${old.token} then ${next.token}, in use: ${bank().token}`),
  );
  const mail = live(() => config.mail, ({ key }) => ({ key }));
  const [firstBank, firstMail] = [bank(), mail()];
  replace({ bank: { token: "b" }, mail: { key: "a" } });
  assertEquals(bank(), { token: "b" });
  assertEquals(firstBank, { token: "a" });
  assertEquals(mail() === firstMail, true);
  assertEquals(config.bank, { token: "b" });
  assertEquals(ended, ["a then b, in use: b"]);
});

Deno.test("if one part cannot be built, no part is replaced", () => {
  const { config, live, replace } = start();
  const bank = live(() => config.bank.token, (token) => token, () => {
    throw new Error("ended");
  });
  const mail = live(() => config.mail, ({ key }) => {
    if (key === "bad") throw new Error("not a key");
    return key;
  });
  assertThrows(
    () => replace({ bank: { token: "b" }, mail: { key: "bad" } }),
    Error,
    "not a key",
  );
  assertEquals([bank(), mail(), config.bank.token, config.mail.key], ["a", "a", "a", "a"]);
});
