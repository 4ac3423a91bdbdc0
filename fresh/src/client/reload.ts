/** Reloads the page in development when the server has restarted. */
let known: string | null = null;
const events = new EventSource("/_frsh/alive");
events.onmessage = ({ data }) => {
  if (known !== null && known !== data) location.reload();
  known = data;
};
