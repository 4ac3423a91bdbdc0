export { BrowserNotifications as default } from "../components/push/BrowserNotifications.tsx";
