export { holderPages as handler } from "../../lib/app/middlewares/holder_pages.ts";
