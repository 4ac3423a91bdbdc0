/** The error pages of the consoles, in the frame of a console. */
import { consolePages } from "../../lib/features/console/pages.ts";
import { type ErrorProps, ErrorText, errorTitle } from "../ErrorPage.tsx";
import { ErrorSearch } from "../ErrorSearch.tsx";
import { organisationWays, WayList } from "../ErrorWays.tsx";
import { ConsoleFrame, type FrameProps } from "./ConsoleFrame.tsx";

/** Links to the page with the form that is posted to this path. */
const formPage = (pathname: string) => ({
  href: pathname.slice(0, pathname.lastIndexOf("/")),
  text: "Back to the form",
  about: "This address only receives forms. Nothing was sent or changed.",
});

/** An error page of a console. It suggests only pages that the visitor may open. */
export function ConsoleError(
  { problem, state, url, req, visitor }: Pick<FrameProps, "state" | "url" | "req" | "visitor"> & {
    problem: ErrorProps["problem"];
  },
) {
  const layer = visitor?.layer ?? null;
  const groups = layer === null ? [] : consolePages(layer, state.surface);
  const pages = groups.flatMap(({ pages }) => pages.map(({ href }) => href));
  const { pathname } = url;
  return (
    <ConsoleFrame {...{ state, url, req, visitor }} title={errorTitle(problem)}>
      <ErrorText {...{ problem, state, pathname }} method={req.method} candidates={pages}>
        {problem.status === 404 && layer !== null && <ErrorSearch {...{ state, pathname }} />}
        <WayList
          ways={visitor === null
            ? [
              { href: "/auth", text: "Sign in", about: "With a link that we email to you." },
              ...organisationWays(state),
            ]
            : [
              ...problem.status === 405 ? [formPage(pathname)] : [],
              { href: "/console", text: "Dashboard", about: "The organisation at a glance." },
            ]}
        />
      </ErrorText>
    </ConsoleFrame>
  );
}
