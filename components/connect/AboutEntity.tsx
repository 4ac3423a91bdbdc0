const ADDRESS = /(https?:\/\/\S*[\w/]|[\w.+-]+@[\w.-]+\w)/;

/** Who the organisation is: its description in paragraphs, with its addresses as links. */
export function AboutEntity({ name, description }: { name: string; description: string }) {
  return (
    <div class="about-entity">
      <strong>{name}</strong>
      {description.split("\n\n").map((paragraph) => <p key={paragraph}>{withLinks(paragraph)}</p>)}
    </div>
  );
}

function withLinks(text: string) {
  // A capturing group in `split` leaves what it matched at the odd places.
  return text.split(ADDRESS).map((part, i) => {
    if (i % 2 === 0) return part;
    return <a key={part} href={part.includes("://") ? part : `mailto:${part}`}>{part}</a>;
  });
}
