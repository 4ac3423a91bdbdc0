import { APP_NAME, THEME_COLOURS } from "../../../lib/features/push/app/mod.ts";

/** Makes a page installable. Safari on iOS 16.4 needs the `apple-` names and a touch icon. */
export function AppMetadata() {
  return (
    <>
      <link key="manifest" rel="manifest" href="/my-record/manifest.webmanifest" />
      <meta name="application-name" content={APP_NAME} />
      <meta name="apple-mobile-web-app-title" content={APP_NAME} />
      <meta name="apple-mobile-web-app-capable" content="yes" />
      <meta name="mobile-web-app-capable" content="yes" />
      <meta name="apple-mobile-web-app-status-bar-style" content="default" />
      {Object.entries(THEME_COLOURS).map(([scheme, colour]) => (
        <meta
          key={`theme-${scheme}`}
          name="theme-color"
          content={colour}
          media={`(prefers-color-scheme: ${scheme})`}
        />
      ))}
    </>
  );
}
