import { asset } from "fresh/runtime";
import { Shell } from "../components/Shell.tsx";
import { headLinks } from "../lib/discovery/mod.ts";
import { define } from "../lib/state.ts";

const SHEETS = ["tokens", "base", "shell", "components"];

export default define.layout(({ Component, state }) => {
  const { surface, services, theme } = state;
  const discovery = surface.kind === "marketing"
    ? headLinks(services.manifests[surface.organisation])
    : [];
  return (
    <html lang="en" data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{surface.title}</title>
        <meta name="description" content={surface.purpose} />
        <meta name="color-scheme" content="dark light" />
        <link rel="icon" href={asset("/icon.svg")} type="image/svg+xml" />
        {SHEETS.map((name) => <link rel="stylesheet" href={asset(`/styles/${name}.css`)} />)}
        {discovery.map((link) => <link {...link} />)}
      </head>
      <body>
        <Shell state={state}>
          <Component />
        </Shell>
      </body>
    </html>
  );
});
