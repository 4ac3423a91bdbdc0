export { MCPBadge as default } from "../components/mcp/MCPBadge.tsx";
