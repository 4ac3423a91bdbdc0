import { dataOf, gatehouse } from "./gatehouse.ts";

// region readIssuer
const issuer = await gatehouse.GET("/api/documents/issuer").then(dataOf);
console.log(`${issuer.name}, ${issuer.test ? "test" : "live"} mode`);
// end region
