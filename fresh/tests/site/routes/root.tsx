import Counter from "../islands/Counter.tsx";

// No layout: the island is the body's own child.
export default () => <Counter id="root" start={1} />;
