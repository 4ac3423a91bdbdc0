/** Development: reloads the page once the server that made it has been replaced. */
let known: string | null = null;
const events = new EventSource("/_frsh/alive");
events.onmessage = ({ data }) => {
  if (known !== null && known !== data) location.reload();
  known = data;
};
