import Base from "../islands/Base.tsx";

export default function Page() {
  return <Base />;
}
