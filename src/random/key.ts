// The seed text becomes a key here, and nowhere else. The one file that knows seedrandom.
import seedrandom from "seedrandom";

/** 128 bits that stand for a seed; four 32-bit words. */
export type Key = Int32Array;

/**
 * Turns a seed into the key of all random streams.
 *
 * seedrandom reads one byte per character and repeats its text until it fills 256 of them, so that "1" and "11" would
 * be one seed. Hence the bytes of the text in UTF-8, between a word and a byte that UTF-8 never contains.
 */
export function deriveKey(seed: string): Key {
  const bytes = Buffer.from(seed, "utf8").toString("latin1");
  const generator = seedrandom(`redrive ${bytes}\xff`);
  return Int32Array.from({ length: 4 }, () => generator.int32());
}
