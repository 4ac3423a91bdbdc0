/** Fifty rows with one link each, as on an ordinary list page. */
export function Rows() {
  return (
    <ul>
      {Array.from({ length: 50 }, (_, i) => (
        <li key={i} class="row">
          <a href={`/items/${i}`}>Item {i}</a>
          <span>{i * 7} pieces in stock</span>
        </li>
      ))}
    </ul>
  );
}
