export { ThemeToggle as default } from "../components/ThemeToggle.tsx";
