import Counter from "../islands/Counter.tsx";
import { Rows } from "../rows.tsx";

export default function WithIsland() {
  return (
    <>
      <Counter start={3} />
      <Rows />
    </>
  );
}
