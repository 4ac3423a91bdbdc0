/** A browser without scripts, for tests that use pages as a person does. */
import { RewritingStream } from "parse5-html-rewriting-stream";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";

type Attributes = Record<string, string>;

interface Button {
  attributes: Attributes;
  text: string;
}

interface Field {
  /** The value that is sent; null for none. */
  value: string | null;
  /** The values that may be chosen; null for a text. */
  choices: string[] | null;
}

interface Form {
  attributes: Attributes;
  fields: Map<string, Field>;
  buttons: Button[];
}

/** The content of a page, and its links and forms. */
interface Page {
  html: string;
  text: string;
  links: Button[];
  forms: Form[];
}

/** The part of a site that the browser uses. */
interface Served {
  handler(request: Request): Promise<Response>;
  services: { surfaces: { url(surface: SurfaceName, path?: string): string | null } };
}

/**
 * A browser without scripts, styles or a screen, for tests of what the server decides. It follows links and
 * redirects, sends forms with everything that they contain, and keeps cookies.
 *
 * @example
 * ```ts
 * const browser = new PlainBrowser(site);
 * await browser.open("site", "/");
 * await browser.press("Search", { q: "care" });
 * assertStringIncludes(browser.text, "of 120 qualifications");
 * ```
 */
export class PlainBrowser {
  readonly cookies = new Map<string, string>();
  readonly #site: Served;
  #page: Page = { html: "", text: "", links: [], forms: [] };
  #url = new URL("about:blank");
  /** The status of the last response. */
  status = 0;

  constructor(site: Served) {
    this.#site = site;
  }

  get html(): string {
    return this.#page.html;
  }

  /** The text of the page, with single spaces. */
  get text(): string {
    return this.#page.text;
  }

  /** The path and query of the page. */
  get path(): string {
    return this.#url.pathname + this.#url.search;
  }

  /** The texts of the links whose address contains a text. */
  linksTo(address: string): string[] {
    return this.#page.links.filter(({ attributes }) => attributes.href?.includes(address))
      .map(({ text }) => text);
  }

  /** Returns what a field of the page contains. */
  valueOf(name: string): string | null {
    const form = this.#page.forms.find(({ fields }) => fields.has(name));
    if (form === undefined) throw new Error(`${this.path} has no field ${name}.`);
    return form.fields.get(name)!.value;
  }

  async open(surface: SurfaceName, path: string): Promise<void> {
    await this.#load(new URL(this.#site.services.surfaces.url(surface, path)!));
  }

  /** Follows the first link with a text. */
  async follow(text: string | RegExp): Promise<void> {
    const link = this.#page.links.find(hasText(text));
    if (link === undefined) throw new Error(`${this.path} has no link “${text}”.`);
    await this.#load(new URL(link.attributes.href, this.#url));
  }

  /**
   * Presses the first button with a text or label.
   *
   * @param values of the form's fields, by their names
   */
  async press(text: string | RegExp, values: Record<string, string> = {}): Promise<void> {
    const form = this.#page.forms.find(({ buttons }) => buttons.some(hasText(text)));
    if (form === undefined) throw new Error(`${this.path} has no button “${text}”.`);
    const { attributes } = form.buttons.find(hasText(text))!;
    for (const [name, value] of Object.entries(values)) {
      const field = form.fields.get(name);
      if (field?.choices?.includes(value) === false || field === undefined) {
        throw new Error(`The form with “${text}” accepts no ${name} “${value}”.`);
      }
      field.value = value;
    }
    const sent = new URLSearchParams();
    for (const [name, { value }] of form.fields) if (value !== null) sent.append(name, value);
    if (attributes.name) sent.append(attributes.name, attributes.value ?? "");
    const action = attributes.formaction ?? form.attributes.action ?? "";
    const url = new URL(action === "" ? this.#url : action, this.#url);
    const isPost = form.attributes.method === "post";
    if (!isPost) url.search = String(sent);
    await this.#load(url, isPost ? sent : undefined);
  }

  async #load(url: URL, body?: URLSearchParams): Promise<void> {
    const { host, hostname, origin } = url;
    const headers = new Headers({ host, accept: "text/html" });
    headers.set("cookie", [...this.cookies].map((pair) => pair.join("=")).join("; "));
    if (this.#url.origin === origin) headers.set("referer", this.#url.href);
    if (body !== undefined) headers.set("origin", origin);
    const method = body === undefined ? "GET" : "POST";
    const response = await this.#site.handler(new Request(url, { method, body, headers }));
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
      if (/; *max-age=0/i.test(each)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await response.text();
    const location = response.headers.get("location");
    if (location === null) {
      [this.status, this.#url, this.#page] = [response.status, url, readPage(html)];
      return;
    }
    const next = new URL(location, url);
    // Cookies are kept for one host.
    if (next.hostname !== hostname) this.cookies.clear();
    await this.#load(next);
  }
}

const hasText = (text: string | RegExp) => (button: Button) =>
  typeof text === "string" ? button.text === text : text.test(button.text);

/** Elements that do not end a word of the text around them. */
const INLINE = new Set([
  "a",
  "b",
  "code",
  "em",
  "i",
  "mark",
  "small",
  "span",
  "strong",
  "time",
  "wbr",
]);
const HIDDEN = new Set(["script", "style"]);

/** Reads a page as a browser without scripts does. */
function readPage(html: string): Page {
  const page: Page = { html, text: "", links: [], forms: [] };
  const open: Button[] = [];
  let form: Form | undefined;
  let select: Field | undefined;
  let area: Field | undefined;
  let isHidden = false;
  const parser = new RewritingStream();

  /** Adds a field to the form, or a choice to one of its fields. */
  function addField(name: string, field: Field): Field {
    const known = form!.fields.get(name);
    if (!known?.choices || !field.choices) {
      form!.fields.set(name, field);
      return field;
    }
    known.choices.push(...field.choices);
    known.value = field.value ?? known.value;
    return known;
  }

  function addInput({ type = "text", name, value, ...rest }: Attributes): void {
    if (form === undefined || name === undefined || "disabled" in rest || type === "submit") return;
    if (type !== "radio" && type !== "checkbox") {
      addField(name, { value: value ?? "", choices: null });
      return;
    }
    const choice = value ?? "on";
    addField(name, { value: "checked" in rest ? choice : null, choices: [choice] });
  }

  function addOption({ value = "", ...rest }: Attributes): void {
    select!.choices!.push(value);
    if (select!.value === null || "selected" in rest) select!.value = value;
  }

  parser.on("startTag", ({ tagName, attrs }) => {
    const attributes: Attributes = Object.fromEntries(attrs.map((each) => [each.name, each.value]));
    isHidden ||= HIDDEN.has(tagName);
    if (!INLINE.has(tagName)) page.text += " ";
    if (tagName === "form") page.forms.push(form = { attributes, fields: new Map(), buttons: [] });
    else if (tagName === "input") addInput(attributes);
    else if (tagName === "option" && select) addOption(attributes);
    else if (tagName === "a" || tagName === "button") {
      const button = { attributes, text: "" };
      open.push(button);
      if (tagName === "a") page.links.push(button);
      else form?.buttons.push(button);
    } else if (form !== undefined && attributes.name !== undefined) {
      if (tagName === "select") select = addField(attributes.name, { value: null, choices: [] });
      if (tagName === "textarea") area = addField(attributes.name, { value: "", choices: null });
    }
  });
  parser.on("endTag", ({ tagName }) => {
    if (HIDDEN.has(tagName)) isHidden = false;
    if (!INLINE.has(tagName)) page.text += " ";
    if (tagName === "form") form = undefined;
    else if (tagName === "select") select = undefined;
    else if (tagName === "textarea") area = undefined;
    else if (tagName === "a" || tagName === "button") {
      const button = open.pop()!;
      button.text = button.attributes["aria-label"] ?? singleSpaces(button.text);
    }
  });
  parser.on("text", ({ text }) => {
    if (isHidden) return;
    page.text += text;
    if (area !== undefined) area.value += text;
    for (const button of open) button.text += text;
  });
  parser.end(html);
  page.text = singleSpaces(page.text);
  return page;
}

const singleSpaces = (text: string) => text.replaceAll(/\s+/g, " ").trim();
