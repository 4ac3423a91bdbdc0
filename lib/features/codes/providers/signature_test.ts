import { assert, assertEquals } from "@std/assert";
import { isTwilioSignature, twilioSignature } from "./signature.ts";

/** The example in Twilio's documentation of webhook security. */
const URL = "https://mycompany.com/myapp.php?foo=1&bar=2";
const FORM = {
  Digits: "1234",
  To: "+18005551212",
  From: "+14158675309",
  Caller: "+14158675309",
  CallSid: "CA1234567890ABCDE",
};
const SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

Deno.test("twilioSignature() returns the signature of Twilio's documented example", () => {
  assertEquals(twilioSignature("12345", URL, FORM), SIGNATURE);
});

Deno.test("isTwilioSignature() accepts only the exact signature of URL and fields", () => {
  const check = (
    {
      token = "12345",
      url = URL,
      form = FORM as Record<string, string>,
      signature = SIGNATURE as
        | string
        | null,
    } = {},
  ) => isTwilioSignature(token, url, form, signature);
  assert(check());
  assert(!check({ token: "12346" }));
  assert(!check({ url: URL.replace("https", "http") }));
  assert(!check({ url: `${URL}&x=1` }));
  assert(!check({ form: { ...FORM, Digits: "1235" } }));
  assert(!check({ form: { ...FORM, Extra: "" } }));
  assert(!check({ form: {} }));
  for (const signature of [null, "", "x", SIGNATURE.slice(1), ` ${SIGNATURE}`, `${SIGNATURE}=`]) {
    assert(!check({ signature }), String(signature));
  }
});
