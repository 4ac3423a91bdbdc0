/** Continues a search in the list of records. It is a form, because the URL must not contain names. */
export function SearchAllRecords({ text }: { text: string }) {
  return (
    <form class="search-all shrinks" method="post" action="/console/records#list">
      <input type="hidden" name="text" value={text} />
      <button type="submit" class="button small anywhere">Search all records for “{text}”</button>
    </form>
  );
}
