import Counter from "../islands/Counter.tsx";
import { Rows } from "../rows.tsx";
import { Layout } from "../layout.tsx";

export default function WithIsland() {
  return (
    <Layout>
      <Counter start={3} />
      <Rows />
    </Layout>
  );
}
