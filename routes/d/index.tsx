import { page } from "fresh";
import { NumberPage, type NumberPageProps } from "../../components/documents/NumberPage.tsx";
import { documentPath, findDocumentId } from "../../lib/features/documents/mod.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

/** `GET /d?number=…` leads to the page of the document whose number somebody typed. */
export const handler = pageHandler<NumberPageProps>({
  GET(ctx) {
    const text = ctx.url.searchParams.get("number");
    if (text === null) return page({ text: "" });
    const id = findDocumentId(text);
    return id === null
      ? page({ text, problem: true }, { status: 400 })
      : ctx.redirect(documentPath(id));
  },
});

export default define.page<typeof handler>(({ data }) => <NumberPage {...data} />);
