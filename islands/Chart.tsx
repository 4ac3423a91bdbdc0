export { Chart as default } from "../components/chart/Chart.tsx";
