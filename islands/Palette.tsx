export { Palette as default } from "../components/console/Palette.tsx";
