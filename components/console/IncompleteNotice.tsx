/** A line above the pages of a console while rows of earlier versions are not indexed. */
export const IncompleteNotice = ({ labels }: { labels: readonly string[] }) => (
  <p class="note" role="status">
    After an update, older rows are still being indexed:{" "}
    {labels.join(", ")}. Until then, lists with filters and searches can lack some of them.{" "}
    <a href="/console/infra#secrets">See the progress</a>
  </p>
);
