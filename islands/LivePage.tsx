export { LivePage as default } from "../components/workbench/LivePage.tsx";
