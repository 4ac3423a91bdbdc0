import { Rows } from "../rows.tsx";
import { Layout } from "../layout.tsx";

export default function Plain() {
  return (
    <Layout>
      <Rows />
    </Layout>
  );
}
