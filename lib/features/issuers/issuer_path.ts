/** Returns the path of the console's page of an issuer, which lists its documents. */
export const issuerPath = (id: string): string => `/console/issuers/${id}`;
