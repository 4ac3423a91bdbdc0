import Counter from "../islands/Counter.tsx";
import { Layout } from "../layout.tsx";

export default function WithCounter() {
  return (
    <Layout>
      <Counter start={3} />
    </Layout>
  );
}
