import type { PageProps } from "fresh";
import { asset } from "fresh/runtime";

export default function App({ Component, url }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{url.pathname}</title>
        <link rel="stylesheet" href={asset("/site.css")} />
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
}
