import type { ComponentChildren, VNode } from "preact";
import { uneval } from "devalue";
import { isJsx, isSignal } from "./vnodes.ts";

type Props = Record<string, unknown>;

/** Replaces JSX anywhere in an island's props by slots; returns props without JSX unchanged. */
export function withSlots(props: Props, slot: (content: ComponentChildren) => VNode): Props {
  const replace = (value: unknown, ancestors: unknown[]): unknown => {
    if (typeof value !== "object" || value === null || ancestors.includes(value)) return value;
    if (isJsx(value)) return slot(value);
    const path = [...ancestors, value];
    if (Array.isArray(value)) {
      const items = value.map((item) => replace(item, path));
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    if (!isPlainObject(value)) return value;
    let copy: Props | null = null;
    for (const [key, item] of Object.entries(value)) {
      const replaced = replace(item, path);
      if (replaced !== item) (copy ??= { ...value })[key] = replaced;
    }
    return copy ?? value;
  };
  return replace(props, []) as Props;
}

/**
 * Serializes the props of all islands of a page for its script: as JSON where that preserves the
 * values, and otherwise as the JavaScript that devalue generates. That also preserves dates, maps,
 * sets, bigints, undefined, signals and identity, and needs no parser in the browser.
 *
 * @returns A JavaScript expression of the array of props, and the client modules that it uses
 * @throws {TypeError} naming the island and the prop that can't be serialized
 */
export function serializeProps(
  list: { island: string; props: Props }[],
): { expression: string; needs: string[] } {
  const all = list.map((item) => item.props);
  if (all.every((props) => isJson(props, []))) {
    return { expression: escapeForScript(JSON.stringify(all)), needs: [] };
  }
  const needs = new Set<string>();
  try {
    const expression = uneval(all, (value, js) => {
      if (isSignal(value)) {
        needs.add("signals");
        return js`signals.signal(${value.peek()})`;
      }
      if (isJsx(value)) {
        needs.add("slots");
        return js`slots.slot(${(value.props as unknown as { id: number }).id})`;
      }
    });
    return { expression, needs: [...needs] };
  } catch (error) {
    throw serializationError(list, error);
  }
}

/** Returns whether parsing the value's JSON results in the same value. */
function isJson(value: unknown, ancestors: unknown[]): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (ancestors.includes(value)) return false;
  const path = [...ancestors, value];
  if (Array.isArray(value)) {
    // Not every(), which skips the holes of sparse arrays.
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], path)) return false;
    return true;
  }
  if (!isPlainObject(value) || isJsx(value)) return false;
  // In a script, the JSON key "__proto__" would set the prototype instead of a property.
  return Object.keys(value).every((key) =>
    key !== "__proto__" && isJson((value as Props)[key], path)
  );
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Escapes characters that could end the script element or start a comment in it. */
function escapeForScript(text: string): string {
  return text.replace(
    /[<\u2028\u2029]/g,
    (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

function serializationError(list: { island: string }[], error: unknown): TypeError {
  const { path, message } = error as { path?: string; message: string };
  const [, index, rest] = /^\[(\d+)\]\.?(.*)$/s.exec(path ?? "") ?? [];
  const island = list[Number(index)]?.island ?? "?";
  return new TypeError(
    `Island <${island}>: the prop "${rest ?? "?"}" can't be serialized: ${message}`,
    { cause: error },
  );
}
