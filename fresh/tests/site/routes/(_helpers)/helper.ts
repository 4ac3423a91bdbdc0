throw new Error("a helper is no route");
