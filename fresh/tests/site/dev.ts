import { Builder } from "fresh/dev";

await new Builder({ root: import.meta.dirname }).build();
