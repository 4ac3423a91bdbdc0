import { Rows } from "../rows.tsx";

export default function Plain() {
  return <Rows />;
}
