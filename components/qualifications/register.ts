/** Returns a qualification's page in the national register. */
export const registerUrl = (code: string): string =>
  `https://training.gov.au/Training/Details/${code}`;
