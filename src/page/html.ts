// HTML from templates: whatever is put into one is escaped, unless it is HTML itself.

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; undefined leaves nothing. */
export type Content = string | number | Html | undefined | readonly Content[];

/** A template: the text between the holes is HTML, what is put into them is escaped. */
export function html(texts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(texts.reduce((all, text, i) => all + toHtml(contents[i - 1]) + text));
}

/** Text for an element or for an attribute in quotes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}

function toHtml(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Html) return content.text;
  if (typeof content === "object") return content.map(toHtml).join("");
  return escapeHtml(String(content));
}
