// Worker threads that fail in some way, so often, and then work. Each failure leaves a mark in a file.
import { appendFileSync, readFileSync } from "node:fs";
import runTask from "../dist/src/experiment/worker.js";

const ways = {
  throw() {
    throw new Error("out of luck\nat some place");
  },
  exit() {
    process.exit(3);
  },
  memory() {
    const hoard = [];
    for (;;) hoard.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
  },
  hang() {
    for (;;);
  },
};

export function breakBy(way, times, log) {
  if (way === "load") throw new Error("no such thing as loading\nat some place");
  return (task) => {
    if (readFileSync(log, "utf8").length < times) {
      appendFileSync(log, "x");
      ways[way]();
    }
    return runTask(task);
  };
}
