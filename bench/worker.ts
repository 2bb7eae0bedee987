// The thread in which a case is measured: told which one, it answers once.
import { parentPort, workerData } from "node:worker_threads";
import type { Case } from "./case.js";
import type { Answer, Assignment } from "./isolate.js";
import { measureCase } from "./measure.js";
import { listCases } from "./selection.js";

const { subject, suite, name, timing } = workerData as Assignment;

async function answer(): Promise<Answer> {
  try {
    const assigned = listCases(subject).find((each) => each.suite === suite && each.name === name);
    return { sampling: await measureCase(assigned as Case, timing) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

parentPort?.postMessage(await answer());
