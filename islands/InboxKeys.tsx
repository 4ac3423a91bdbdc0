export { InboxKeys as default } from "../components/inbox/InboxKeys.tsx";
