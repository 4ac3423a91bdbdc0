/** What the form offers, and the endpoint takes (spec 2.8). */

export const ENQUIRY_TYPES = ["Investor", "Enterprise Partner", "Technical", "Other"] as const;

/** The 18 dial codes, the default first. `country` is ISO 3166-1 alpha-2. */
export const DIAL_CODES = [
  { country: "AU", name: "Australia", code: "+61" },
  { country: "CA", name: "Canada", code: "+1" },
  { country: "CN", name: "China", code: "+86" },
  { country: "FR", name: "France", code: "+33" },
  { country: "DE", name: "Germany", code: "+49" },
  { country: "HK", name: "Hong Kong", code: "+852" },
  { country: "IN", name: "India", code: "+91" },
  { country: "ID", name: "Indonesia", code: "+62" },
  { country: "IE", name: "Ireland", code: "+353" },
  { country: "JP", name: "Japan", code: "+81" },
  { country: "MY", name: "Malaysia", code: "+60" },
  { country: "NZ", name: "New Zealand", code: "+64" },
  { country: "PH", name: "Philippines", code: "+63" },
  { country: "SG", name: "Singapore", code: "+65" },
  { country: "KR", name: "South Korea", code: "+82" },
  { country: "AE", name: "United Arab Emirates", code: "+971" },
  { country: "GB", name: "United Kingdom", code: "+44" },
  { country: "US", name: "United States", code: "+1" },
] as const;

/** Its name tempts programs that fill in everything; people never see it. */
export const HONEYPOT = "fax_extension";

/** Who is faster has not read the form. */
export const LEAST_ELAPSED_MS = 2_000;

/** The most characters of each field. */
export const FIELD_LIMITS = {
  name: 200,
  organisation: 200,
  email: 254,
  mobile: 40,
  message: 5_000,
} as const;
