import { publishedHandler, publishedPage } from "../../components/trust_pages/published_route.tsx";

export const handler = publishedHandler("privacy/stored");

export default publishedPage;
