/** The function with which console routes respond with a page, and the stylesheets of the sections. */
import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../lib/app/state.ts";
import type { NavItem } from "../navigation.ts";
import { ConsoleFrame } from "./ConsoleFrame.tsx";

/** The sections whose pages have a stylesheet of their own, by the second part of their path. */
const STYLES: Readonly<Record<string, string>> = {
  "": "console_home",
  report: "console_home",
  finance: "console_finance",
  issuers: "console_issuers",
  payments: "console_payments",
  records: "console_records",
};

/**
 * Renders a page of a console in its frame, for the operator who is signed in. The breadcrumbs start
 * at the page's section of the sidebar and end with its title.
 *
 * @param page its title without the organisation's name, the pages between the section and it, and
 * whether it says why a form was refused
 * @param init the status and headers, for example a problem that the page explains
 *
 * @example
 * ```tsx
 * return await renderConsole(ctx, { title: "User 5" }, <UserPage user={user} />);
 * ```
 */
export async function renderConsole(
  ctx: Context<State>,
  { title, crumbs = [], refused }: {
    title: string;
    crumbs?: readonly NavItem[];
    refused?: boolean;
  },
  view: ComponentChildren,
  init?: ResponseInit,
): Promise<Response> {
  const { state, url, req } = ctx;
  const { session, layer } = state;
  await state.overview;
  const visitor = session && { email: session.email, layer };
  return await ctx.render(
    <ConsoleFrame
      {...{ state, url, req, visitor, title, crumbs, refused }}
      styles={STYLES[url.pathname.split("/")[2] ?? ""]}
    >
      {view}
    </ConsoleFrame>,
    init,
  );
}
