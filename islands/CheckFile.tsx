export { CheckFile as default } from "../components/documents/CheckFile.tsx";
