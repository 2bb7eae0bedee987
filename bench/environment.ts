// The machine and the programs that a benchmark ran on, as far as the system tells.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { version } from "../src/version.js";

/** "unknown" where the system does not tell, as desktops and servers mostly do not. */
export type PowerSource = "mains" | "battery" | "unknown";

export interface Environment {
  readonly redrive: string;
  /** When it was asked, in UTC. */
  readonly time: string;
  readonly node: string;
  readonly v8: string;
  readonly os: string;
  readonly cpu: string;
  /** Processors that this program may use. */
  readonly cores: number;
  readonly memoryBytes: number;
  readonly power: PowerSource;
  /** What sets the processor's clock on Linux, such as "powersave". */
  readonly governor: string | undefined;
  /** Programs that were running or waiting to, over the last minute; undefined on Windows. */
  readonly loadAverage: number | undefined;
}

/** A power supply as Linux describes it. */
export interface PowerSupply {
  /** "Mains", "USB", "Battery" and others */
  readonly type: string | undefined;
  /** "1" for a charger that is plugged in */
  readonly online: string | undefined;
  /** "Charging", "Discharging", "Full" and others, for a battery */
  readonly status: string | undefined;
  /** "Device" for what powers a mouse or a headset */
  readonly scope: string | undefined;
}

/** Asks the system; what it does not tell is unknown or undefined. */
export async function readEnvironment(): Promise<Environment> {
  return {
    redrive: version,
    time: new Date().toISOString(),
    node: process.version,
    v8: process.versions.v8,
    os: `${platform()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() || "unknown",
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    power: await readPowerSource(),
    governor: await readLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    loadAverage: platform() === "win32" ? undefined : loadavg()[0],
  };
}

/** The power source by Linux's list of supplies. */
export function powerOfSupplies(supplies: readonly PowerSupply[]): PowerSource {
  const own = supplies.filter(({ scope }) => scope !== "Device");
  const batteries = own.filter(({ type }) => type === "Battery");
  if (own.some(({ type, online }) => type !== "Battery" && online === "1")) return "mains";
  if (batteries.some(({ status }) => status === "Discharging")) return "battery";
  return batteries.some(({ status }) => status === "Charging" || status === "Full") ? "mains" : "unknown";
}

/** The power source by what macOS prints for `pmset -g batt`. */
export function powerOfPmset(text: string): PowerSource {
  const source = /drawing from '(.*)'/.exec(text)?.[1];
  if (source === "AC Power") return "mains";
  return source === "Battery Power" ? "battery" : "unknown";
}

/**
 * What another result's environment has that this one has not and that changes times: one text for each.
 *
 * @param earlier - the content of an environment.json, or anything else
 */
export function describeChanges(earlier: unknown, now: Environment): string[] {
  if (typeof earlier !== "object" || earlier === null) return [];
  const then = earlier as Partial<Record<keyof Environment, unknown>>;
  return (["cpu", "cores", "node", "power", "governor"] as const)
    .filter((name) => then[name] !== undefined && then[name] !== now[name])
    .map((name) => `${name} was ${then[name]}, is ${now[name] ?? "unknown"}`);
}

async function readPowerSource(): Promise<PowerSource> {
  try {
    if (platform() === "linux") return powerOfSupplies(await readSupplies("/sys/class/power_supply"));
    if (platform() === "darwin")
      return powerOfPmset((await promisify(execFile)("pmset", ["-g", "batt"])).stdout);
  } catch {
    // Not told.
  }
  return "unknown";
}

async function readSupplies(folder: string): Promise<PowerSupply[]> {
  const read = (supply: string, file: string) => readLine(join(folder, supply, file));
  return Promise.all(
    (await readdir(folder)).map(async (supply) => ({
      type: await read(supply, "type"),
      online: await read(supply, "online"),
      status: await read(supply, "status"),
      scope: await read(supply, "scope"),
    })),
  );
}

async function readLine(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return undefined;
  }
}
