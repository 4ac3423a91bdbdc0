export { TryTool as default } from "../components/mcp/TryTool.tsx";
