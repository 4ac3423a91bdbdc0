import type { PageProps } from "fresh";

export default function App({ Component }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Bench</title>
        <link rel="stylesheet" href="/tokens.css" />
        <link rel="stylesheet" href="/chart.css" />
        <style>{".peer { height: 300px; } [hidden] { display: none; }"}</style>
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
}
