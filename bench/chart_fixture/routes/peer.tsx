import Peer from "../islands/Peer.tsx";

export default function Page() {
  return <Peer />;
}
