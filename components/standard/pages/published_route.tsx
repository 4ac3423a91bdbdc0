import { define, sharedPage } from "../../../lib/app/state.ts";
import { respondWithPage } from "../../../lib/features/standard/http.ts";
import type { ShownPage } from "../../../lib/features/standard/pages/mod.ts";
import { PublishedPage } from "./PublishedPage.tsx";

/** Returns the handler of a published page, which loads no scripts. */
export const publishedHandler = (name: string) =>
  sharedPage<ShownPage>({
    GET(ctx) {
      ctx.state.scripts = false;
      return respondWithPage(ctx, name);
    },
  });

export const publishedPage = define.page<ReturnType<typeof publishedHandler>>((
  { data, state },
) => <PublishedPage shown={data} state={state} />);
