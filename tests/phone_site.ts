/** Connects the stand-in for SMS and calls to the site of a test. */
import { type PhoneSandbox, startPhoneSandbox } from "../sandbox/phone.ts";
import type { Site, SiteOverrides } from "./site.ts";

/** A stand-in for the provider of codes whose callbacks reach a site in the same process. */
export interface TestPhone extends PhoneSandbox {
  /** Pass these to the site: `CODE_PROVIDER=sandbox` then uses this stand-in. */
  overrides: Pick<SiteOverrides, "configure">;
  /** Sets the site that gets the callbacks. */
  connect(site: Site): void;
}

/**
 * Starts a stand-in for one test.
 *
 * @example
 * ```ts
 * await using phone = startTestPhone();
 * await using site = await createSite({}, phone.overrides);
 * phone.connect(site);
 * await site.services.phone.provider!.send({ to, channel: "sms", text, idempotencyKey: "1" });
 * await phone.settled();
 * phone.entries[0].status; // "delivered"
 * ```
 */
export function startTestPhone(clock?: () => number): TestPhone {
  let site: Site | undefined;
  const phone = startPhoneSandbox({
    clock,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set("host", new URL(request.url).host);
      return site?.handler(request) ?? Promise.reject(new Error("No site is connected."));
    },
  });
  return Object.defineProperties(
    {
      overrides: {
        configure: (config) => ({
          ...config,
          codes: { ...config.codes, provider: { name: "sandbox", account: phone.account } },
        }),
      },
      connect(other: Site) {
        site = other;
      },
    } satisfies Pick<TestPhone, "overrides" | "connect">,
    Object.getOwnPropertyDescriptors(phone),
  ) as TestPhone;
}
