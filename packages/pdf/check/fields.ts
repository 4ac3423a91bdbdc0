/** A field with a text, as the viewer's library reads it. */
export interface Field {
  /** The texts that the field shows, as far as its value says. */
  values: string[];
  /** True if it may show more than its value: a list also shows what is not selected. */
  isList: boolean;
  /** True if a script of the form writes the value in another way, such as with a currency. */
  isFormatted: boolean;
  /** True if viewers draw the field from its value, whatever its stored appearance is. */
  isRedrawn: boolean;
}

/** An annotation, as the library describes it. */
interface Annotation {
  id: string;
  fieldType?: string;
  fieldValue?: unknown;
  options?: { exportValue: unknown; displayValue: unknown }[];
  combo?: boolean;
  password?: boolean;
  actions?: Record<string, unknown> | null;
}

/**
 * Returns the fields with texts among the annotations of a page, by their ids.
 *
 * @param isRedrawn true if the form asks viewers to draw its fields (`NeedAppearances`)
 */
export function fieldsOf(
  annotations: readonly Annotation[],
  isRedrawn: boolean,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const { id, fieldType, fieldValue, options, combo, password, actions } of annotations) {
    if (fieldType !== "Tx" && fieldType !== "Ch" || password) continue;
    const shown = new Map(
      options?.map(({ exportValue, displayValue }) => [exportValue, displayValue]),
    );
    const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue])
      .map((value) => `${shown.get(value) ?? value ?? ""}`);
    const isList = fieldType === "Ch" && !combo;
    const isFormatted = actions?.["Format"] !== undefined;
    fields.set(id, { values, isList, isFormatted, isRedrawn });
  }
  return fields;
}

/** Returns whether a field shows its value. Line breaks and spaces do not count. */
export function showsValue({ values, isList, isFormatted }: Field, shown: string): boolean {
  if (isFormatted) return true;
  const [text, ...expected] = [shown, ...values].map(plain);
  return isList ? expected.every((value) => text.includes(value)) : text === expected.join("");
}

/** Returns whether two texts of a field are the same, apart from line breaks and spaces. */
export const isSameText = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (text: string): string => text.normalize("NFKC").replace(/[\s\p{C}]/gu, "");
