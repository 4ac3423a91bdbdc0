import { HttpError, page } from "fresh";
import { AnchorList, Neighbours, SectionNav } from "../../components/standard/navigation.tsx";
import { SearchForm } from "../../components/standard/Search.tsx";
import { StandardEyebrow, StandardHead } from "../../components/standard/StandardHead.tsx";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  GET({ params, state }) {
    const found = state.services.standard.page(params.section);
    if (found === undefined) throw new HttpError(404);
    return page(found);
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { section, headings, html, previous, next } = data;
  const { standard } = state.services;
  const contents = (
    <>
      <SearchForm />
      <SectionNav sections={standard.sections} page={data} />
    </>
  );
  return (
    <div class="reading">
      <StandardHead
        state={state}
        title={section.title}
        description={section.summary}
        path={`/standard/${section.id}`}
      />
      <div class="reading-contents wide">{contents}</div>
      <details class="reading-contents narrow">
        <summary>Contents</summary>
        {contents}
      </details>
      <article class="reading-text">
        <StandardEyebrow standard={standard} />
        <h1>
          <span class="number">{section.number}</span> <span>{section.title}</span>
        </h1>
        <p class="lead">{section.summary}</p>
        <div class="standard-text" dangerouslySetInnerHTML={{ __html: html }} />
        <Neighbours previous={previous} next={next} />
      </article>
      {headings.length > 0 && (
        <nav class="on-this-page" aria-labelledby="on-this-page">
          <h2 id="on-this-page">On this page</h2>
          <AnchorList headings={headings} />
        </nav>
      )}
    </div>
  );
});
