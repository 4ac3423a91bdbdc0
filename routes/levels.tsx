import { publishedHandler, publishedPage } from "../components/standard/pages/published_route.tsx";

export const handler = publishedHandler("levels");

export default publishedPage;
