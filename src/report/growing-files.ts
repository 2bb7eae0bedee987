// Files that are written bit by bit, and can be cut back to where what they hold belonged together.
import { type FileHandle, open, stat, truncate } from "node:fs/promises";

/** Bytes of each file. */
export type Lengths = ReadonlyMap<string, number>;

interface Growing {
  readonly file: FileHandle;
  /** Bytes that were written. */
  length: number;
}

/** The growing files of a result, by name. */
export class GrowingFiles {
  readonly #pathOf: (name: string) => string;
  readonly #open = new Map<string, Growing>();
  #marked: Lengths | undefined;

  /** @param pathOf - where a file is while it grows */
  constructor(pathOf: (name: string) => string) {
    this.#pathOf = pathOf;
  }

  /** Lengths when what the files hold last belonged together; undefined where it never did. */
  get marked(): Lengths | undefined {
    return this.#marked;
  }

  /** Adds text to a file. @returns whether the file is a new one */
  async append(name: string, text: string): Promise<boolean> {
    const before = this.#open.get(name);
    const growing = before ?? { file: await open(this.#pathOf(name), "w"), length: 0 };
    this.#open.set(name, growing);
    const bytes = Buffer.from(text);
    for (let begin = 0; begin < bytes.length; ) {
      const { file, length } = growing;
      const { bytesWritten } = await file
        .write(bytes, begin, bytes.length - begin, length)
        // Of an open file, errors do not know the name.
        .catch((error: Error) => Promise.reject(Object.assign(error, { path: this.#pathOf(name) })));
      begin += bytesWritten;
      growing.length += bytesWritten;
    }
    return before === undefined;
  }

  /** Says that what was appended so far belongs together. */
  mark(): void {
    this.#marked = new Map([...this.#open].map(([name, { length }]) => [name, length]));
  }

  /** Waits until all that was appended is on the disk. */
  async sync(): Promise<void> {
    for (const { file } of this.#open.values()) await file.datasync();
  }

  /** Whether the files have at least these lengths. */
  async reach(lengths: Lengths): Promise<boolean> {
    for (const [name, length] of lengths) {
      const found = await stat(this.#pathOf(name)).catch(() => undefined);
      if (found === undefined || found.size < length) return false;
    }
    return true;
  }

  /** Opens files that are not open, cuts all to lengths that belong together, and goes on from there. */
  async goOn(lengths: Lengths): Promise<void> {
    for (const [name, length] of lengths) {
      if (this.#open.has(name)) continue;
      this.#open.set(name, { file: await open(this.#pathOf(name), "r+"), length });
    }
    this.#marked = lengths;
    await this.cut(lengths);
  }

  /** Cuts files to these lengths, whether they are open or not. */
  async cut(lengths: Lengths): Promise<void> {
    for (const [name, length] of lengths) {
      const growing = this.#open.get(name);
      await (growing?.file.truncate(length) ?? truncate(this.#pathOf(name), length));
      if (growing !== undefined) growing.length = length;
    }
  }

  /** Closes one of them; nothing where it is not open. */
  async drop(name: string): Promise<void> {
    const growing = this.#open.get(name);
    this.#open.delete(name);
    await growing?.file.close();
  }

  /** Closes them. */
  async close(): Promise<void> {
    for (const name of [...this.#open.keys()]) await this.drop(name);
  }
}
