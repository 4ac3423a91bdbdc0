import Counter from "../islands/Counter.tsx";

/** The browser ends the paragraph before the island's `<div>`. */
export default function Nesting() {
  return (
    <>
      <p>
        <Counter id="invalid" start={1} />
      </p>
      <Counter id="valid" start={1} />
    </>
  );
}
