import {
  publishedHandler,
  publishedPage,
} from "../../components/standard/pages/published_route.tsx";

export const handler = publishedHandler("privacy/stored");

export default publishedPage;
