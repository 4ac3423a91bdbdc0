export { LiveFeed as default } from "../components/records/LiveFeed.tsx";
