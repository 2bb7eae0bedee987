// The Kubernetes manifests, against the types generated from Kubernetes' schema, against each other, and in a shell.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job } from "kubernetes-types/batch/v1.js";
import type { PersistentVolumeClaim } from "kubernetes-types/core/v1.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { StandIns } from "./stand-ins.js";

const root = fileURLToPath(new URL("..", import.meta.url));

let programs: StandIns;
beforeAll(() => {
  programs = new StandIns();
});
afterAll(() => programs.close());

/** The documents of a manifest. */
function read(name: string): unknown[] {
  const text = readFileSync(join(root, "scripts", "kubernetes", name), "utf8");
  return [parseAllDocuments(text)].flat().map((document) => {
    // Such as a key that is there twice.
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

const [claim, shards] = read("indexed-job.yaml") as [PersistentVolumeClaim, Job];
const [merge] = read("merge-job.yaml") as [Job];
const podOf = (job: Job) => job.spec!.template.spec!;
const containerOf = (job: Job) => podOf(job).containers[0];
const shardCountOf = (job: Job) => Number(containerOf(job).env!.find(({ name }) => name === "SHARDS")?.value);

/**
 * What the compiler says about objects that stand in a program as literals: it refuses keys that their type does not have.
 *
 * @returns the first complaint about each, or none
 */
function complaints(objects: readonly (readonly ["Job" | "PersistentVolumeClaim", unknown])[]): string[] {
  // Inside of the project, where the compiler finds the types.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "kubernetes-"));
  try {
    const lines = [
      'import type { Job } from "kubernetes-types/batch/v1.js";',
      'import type { PersistentVolumeClaim } from "kubernetes-types/core/v1.js";',
      ...objects.map(([type, object], i) => `export const o${i}: ${type} = ${JSON.stringify(object)};`),
    ];
    writeFileSync(join(folder, "objects.ts"), lines.join("\n"));
    const { status, stdout } = programs.run(process.execPath, [
      join(root, "node_modules", "typescript", "bin", "tsc"),
      ...["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--pretty", "false"],
      join(folder, "objects.ts"),
    ]);
    const said = stdout.split("\n");
    const found = objects.map((_, i) => said.find((line) => line.includes(`objects.ts(${3 + i},`)) ?? "");
    // It does not fail, or is silent, for another reason.
    expect(status !== 0).toBe(found.some((line) => line !== ""));
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the Kubernetes manifests", () => {
  test("are what the schema asks for, where a misspelt key, a wrong type or a missing key is not", () => {
    const { completions, ...spec } = shards.spec!;
    const { template, ...empty } = merge.spec!;
    const [ofClaim, ofShards, ofMerge, misspelt, mistyped, missing] = complaints([
      ["PersistentVolumeClaim", claim],
      ["Job", shards],
      ["Job", merge],
      ["Job", { ...shards, spec: { ...spec, completion: completions } }],
      ["Job", { ...shards, spec: { ...spec, completions: `${completions}` } }],
      ["Job", { ...merge, spec: empty }],
    ]);
    expect([ofClaim, ofShards, ofMerge]).toEqual(["", "", ""]);
    expect(misspelt).toContain(`'"completion"' does not exist in type 'JobSpec'`);
    expect(mistyped).toContain("Type 'string' is not assignable to type 'number'");
    expect(missing).toContain("Property 'template' is missing");
  });

  test("have one number of shards: of completions, in the command, and in the merge", () => {
    expect(shards.spec!.completionMode).toBe("Indexed");
    expect(shardCountOf(shards)).toBe(shards.spec!.completions);
    expect(shardCountOf(merge)).toBe(shards.spec!.completions);
  });

  test("refer to volumes, claims and containers that there are, and to one image", () => {
    for (const job of [shards, merge]) {
      const { volumes, containers, restartPolicy } = podOf(job);
      expect(containers.flatMap(({ volumeMounts }) => volumeMounts!.map(({ name }) => name))).toEqual(
        volumes!.map(({ name }) => name),
      );
      expect(volumes!.map((volume) => volume.persistentVolumeClaim!.claimName)).toEqual([
        claim.metadata!.name,
      ]);
      expect(restartPolicy).toBe("Never");
      expect(containerOf(job).image).toBe(containerOf(shards).image);
    }
    const rules = shards.spec!.podFailurePolicy!.rules.flatMap(({ onExitCodes }) => onExitCodes ?? []);
    expect(rules.map(({ containerName }) => containerName)).toEqual([containerOf(shards).name]);
  });
});

describe.runIf(process.platform !== "win32")("the commands of the Kubernetes manifests", () => {
  const runContainer = (job: Job, env: Record<string, string>) => {
    const { command, args = [] } = containerOf(job);
    // The folder of the volume is one of the test's.
    const here = command!.map((part) => part.replaceAll("/results", `${programs.folder}/results`));
    programs.run(here[0], [...here.slice(1), ...args], { ...env, SHARDS: `${shardCountOf(job)}` });
    return programs.take("redrive").map((call) => call.map((part) => part.replace(programs.folder, "")));
  };

  test("take every shard once, the first for index 0, and merge their folders", () => {
    programs.add("redrive");
    const count = shards.spec!.completions!;
    const folders: string[] = [];
    for (const index of [0, 1, count - 1]) {
      const shard = `${index + 1}/${count}`;
      folders.push(`/results/shards/${index + 1}-of-${count}`);
      expect(runContainer(shards, { JOB_COMPLETION_INDEX: `${index}` })).toEqual([
        [...containerOf(shards).args!, "--shard", shard, "--out", folders.at(-1), "--resume"],
      ]);
      mkdirSync(programs.folder + folders.at(-1), { recursive: true });
    }
    mkdirSync(`${programs.folder}/results/shards/1-of-${count + 1}`);
    expect(runContainer(merge, {})).toEqual([["merge", ...folders.sort(), "--out", "/results/run"]]);
  });
});
