// The version of this package.
import { createRequire } from "node:module";

export const { version } = createRequire(import.meta.url)("redrive/package.json") as {
  readonly version: string;
};
