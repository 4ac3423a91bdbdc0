import Ours from "../islands/Ours.tsx";

export default function Page() {
  return <Ours />;
}
