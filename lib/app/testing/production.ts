import type { SurfaceHosts } from "../../platform/config/surfaces.ts";

/** Returns the variables of a valid production configuration, with everything that it requires. */
export function productionEnv(
  surfaceHosts: SurfaceHosts = { site: ["qualpack.example"] },
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    APP_ENV: "production",
    APP_SECRET: "A".repeat(43),
    SURFACE_HOSTS: JSON.stringify(surfaceHosts),
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: "smtp://mail.example",
    FOUNDATION_NAME: "Meridian Foundation",
    FOUNDATION_CONTACT_EMAIL: "hello@meridian.test",
    FOUNDATION_CODE_HOST_URL: "https://code.meridian.test",
    COMMERCIAL_NAME: "Solstice",
    COMMERCIAL_CONTACT_EMAIL: "hello@solstice.test",
    COMMERCIAL_CODE_HOST_URL: "https://code.solstice.test",
    ...env,
  };
}
