// Any package of `dev.lock`, for packages.ts.
import "zod";
