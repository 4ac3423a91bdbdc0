/** The environment variables of passkeys: other origins, apps, and the requirement for operators. */
import { z } from "zod";
import { list, origins } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";

/** An Android app that may use the site's passkeys. */
interface AndroidApp {
  package: string;
  /** SHA-256 of the certificate that signs the app: upper-case hexadecimal, separated by colons. */
  fingerprint: string;
}

/** The settings of passkeys that go beyond the site's own pages. */
export interface PasskeyConfig {
  /** Other https origins whose pages may use the trust surface's passkeys. */
  relatedOrigins: string[];
  /** `<team id>.<bundle id>` of each app for Apple's systems. */
  appleAppIds: string[];
  androidApps: AndroidApp[];
}

export interface OperatorPasskeysConfig {
  /** True if operators need a passkey for everything after their first sign-in. */
  required: boolean;
}

const HTTPS = "https origins such as https://app.example, separated by commas";
const APPLE = "app ids such as ABCDE12345.com.example.app, separated by commas";
const ANDROID = "apps such as com.example.app=<SHA-256 of the certificate as AB:CD:…>, " +
  "separated by commas";

const ANDROID_APP = /^([a-z]\w*(?:\.[a-z]\w*)+)=((?:[\da-f]{2}:){31}[\da-f]{2})$/i;

const variables = {
  PASSKEY_RELATED_ORIGINS: origins
    .refine((values) => values.every((value) => value.startsWith("https://")), HTTPS).default([]),
  APPLE_APP_IDS: list.pipe(
    z.array(z.string().regex(/^[A-Z\d]{10}\.[A-Za-z\d.-]{1,155}$/, APPLE)),
  ).default([]),
  ANDROID_APPS: list.pipe(z.array(z.string().regex(ANDROID_APP, ANDROID))).transform((values) =>
    values.map((value): AndroidApp => {
      const [, name, fingerprint] = ANDROID_APP.exec(value)!;
      return { package: name, fingerprint: fingerprint.toUpperCase() };
    })
  ).default([]),
  OPS_REQUIRE_PASSKEY: z.enum(["0", "1"], "1, or unset").optional(),
};

export const passkeysSettings = defineSettings({
  variables,
  config: (
    values,
  ): { passkeys: PasskeyConfig; operatorPasskeys: OperatorPasskeysConfig } => ({
    passkeys: {
      relatedOrigins: values.PASSKEY_RELATED_ORIGINS,
      appleAppIds: values.APPLE_APP_IDS,
      androidApps: values.ANDROID_APPS,
    },
    operatorPasskeys: { required: values.OPS_REQUIRE_PASSKEY === "1" },
  }),
});
