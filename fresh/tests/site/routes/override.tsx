import type { PageProps, RouteConfig } from "fresh";

export const config: RouteConfig = { routeOverride: "/elsewhere/:id" };

export default ({ params }: PageProps) => <h1>Override {params.id}</h1>;
