export { AccountPage as default } from "../components/console/AccountPage.tsx";
