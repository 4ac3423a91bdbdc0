/** A line above every page while the store is read-only. */
export const ReadOnlyNotice = () => (
  <aside class="site-notice" aria-label="Notice">
    <p>
      <strong>This site is read-only at the moment.</strong>{" "}
      You can read everything, but you cannot sign in, send or change anything.
    </p>
  </aside>
);
