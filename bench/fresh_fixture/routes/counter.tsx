import Counter from "../islands/Counter.tsx";

export default function WithCounter() {
  return <Counter start={3} />;
}
