/** Opens another record of the session. */
export const OpenRecord = ({ record, text }: { record: string; text: string }) => (
  <form method="post" action="/my-record/choose">
    <input type="hidden" name="record" value={record} />
    <button type="submit" class="button primary">{text}</button>
  </form>
);
