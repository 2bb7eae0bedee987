// JSON files as people write them: what is wrong is said with its line. The one file that knows momoa.
import { createReadStream } from "node:fs";
import { type AnyNode, parse } from "@humanwhocodes/momoa";
import { describeFileError } from "../report/file-error.js";

/** Larger files are not read. */
const mostMegabytes = 50;

/** Reads a JSON file, or stdin for "-". Names that occur twice and numbers that would change are wrong, too. */
export async function readJson(
  path: string,
  flag: string,
): Promise<{ readonly value: unknown } | { readonly problems: readonly string[] }> {
  let content: string;
  try {
    content = await readText(path === "-" ? process.stdin : createReadStream(path));
  } catch (error) {
    const problem = `${flag} must be a file that can be read, got ${path} (${describeFileError(error)})`;
    return { problems: [problem] };
  }
  const text = content.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(text);
    const problems = findSlips(parse(text, { ranges: true }).body, path, text);
    return problems.length > 0 ? { problems } : { value };
  } catch (error) {
    return { problems: [`${flag} must be a JSON file, got ${path} (${locate(text, error as Error)})`] };
  }
}

/** Reads a text; some files have no end. */
async function readText(source: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let megabytes = 0;
  for await (const piece of source) {
    megabytes += piece.length / 1e6;
    if (megabytes > mostMegabytes) throw new Error(`it has more than ${mostMegabytes} MB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Where a text stops being JSON, and why. */
function locate(text: string, error: Error): string {
  // Where the stack ends, the text may be JSON.
  if (error instanceof RangeError) return "it is nested too deeply";
  try {
    parse(text);
  } catch (found) {
    const { message, line, column } = found as Error & { line?: number; column?: number };
    if (line !== undefined) {
      const reason = message
        .replace(/ \(\d+:\d+\)$/, "")
        .replace(/ found\.$/, "")
        .replace(/^Unexpected token (\w+)/, (_, name: string) => `unexpected ${tokens[name] ?? name}`);
      return `line ${line}, column ${column}: ${reason[0].toLowerCase()}${reason.slice(1)}`;
    }
  }
  return error.message.split("\n")[0];
}

/** What momoa's names of tokens mean. */
const tokens: Readonly<Record<string, string>> = {
  Boolean: "true or false",
  Colon: ":",
  Comma: ",",
  LBrace: "{",
  LBracket: "[",
  Null: "null",
  Number: "number",
  RBrace: "}",
  RBracket: "]",
  String: "text",
};

/** Names that occur twice in an object, and whole numbers that are not what they are written as. */
function findSlips(node: AnyNode, path: string, text: string, where = ""): string[] {
  switch (node.type) {
    case "Object": {
      const seen = new Set<string>();
      return node.members.flatMap(({ name, value, loc }) => {
        const key = name.type === "String" ? name.value : name.name;
        const place = where === "" ? key : `${where}.${key}`;
        const again = seen.has(key)
          ? [`${place} in ${path} must be given once, got it again in line ${loc.start.line}`]
          : [];
        seen.add(key);
        return [...again, ...findSlips(value, path, text, place)];
      });
    }
    case "Array":
      return node.elements.flatMap(({ value }, i) => findSlips(value, path, text, `${where}[${i}]`));
    case "Number": {
      const written = text.slice(node.loc.start.offset, node.loc.end.offset);
      if (!/^-?\d+$/.test(written)) return [];
      if (Number.isFinite(node.value) && BigInt(written) === BigInt(node.value)) return [];
      return [
        `${where} in ${path} must be a number below 2^53, got ${shortened(written)}; as a seed, write it as text`,
      ];
    }
    default:
      return [];
  }
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
