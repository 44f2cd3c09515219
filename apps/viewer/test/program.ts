// The program under test: makes results, serves them, and tells what is in them.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const program =
  process.env.CAIRN_PROGRAM ?? fileURLToPath(new URL("../../../build/release/bin/cairn", import.meta.url));

// Of this run of the tests alone.
export const folder = join(tmpdir(), `cairn-viewer-${process.ppid}`);

export function cairn(...args: string[]): string {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
}

export function result(name: string): string {
  return join(folder, `${name}.h5`);
}

export interface Served {
  url: string;
  stop(): Promise<number | null>;
}

// The line that `cairn view` prints first holds the address.
export function serve(file: string, ...options: string[]): Promise<Served> {
  const child: ChildProcess = spawn(program, ["view", file, "--no-open", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    let text = "";
    const take = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /http:\/\/\S+/.exec(text);
      if (found === null) return;
      resolve({
        url: found[0],
        stop: () => {
          child.kill("SIGINT");
          return ended;
        },
      });
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.once("exit", (code) => reject(new Error(`cairn view ended with ${code}: ${text}`)));
  });
}

export type Row = Record<string, string>;

// Rows of a table that `cairn export --csv` wrote, one frame's alone where a time is given.
export function table(name: string, kind: "states" | "contacts" | "steps", at?: number): Row[] {
  const out = join(folder, `csv-${name}-${at ?? "all"}`);
  if (!existsSync(out)) {
    const times = at === undefined ? [] : ["--at", String(at)];
    cairn("export", result(name), "--csv", out, ...times);
  }
  const [head, ...lines] = readFileSync(join(out, `${name}_${kind}.csv`), "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((column, i) => [column, cells[i]]));
  });
}

// Spheres in flight over nothing: many bodies, many frames, quick to compute.
export function writeFlock(bodies: number, frames: number): string {
  const side = Math.ceil(Math.sqrt(bodies));
  const rows = ["x,y,z,radius,vx,vy,vz"];
  for (let i = 0; i < bodies; ++i) {
    rows.push(`${(i % side) * 0.12},${Math.floor(i / side) * 0.12},${(i % 7) * 0.2},0.05,0,0,${1 + (i % 5) * 0.25}`);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "flock.csv"), rows.join("\n") + "\n");
  const scene = join(folder, "flock.toml");
  const text = [
    'title = "Spheres in flight"',
    "dimension = 3",
    "[time]",
    "step = 2e-3",
    `duration = ${2e-3 * (frames - 1)}`,
    "[output]",
    "every = 2e-3",
    "[[table]]",
    'file = "flock.csv"',
    'name = "sphere"',
  ];
  writeFileSync(scene, text.join("\n") + "\n");
  return scene;
}

// What the tests look at: a wall in the plane, a dome and a slope in space, and a large one.
export function makeResults(): void {
  mkdirSync(join(folder, "shown"), { recursive: true });
  const make = (name: string, scene: string, ...settings: string[]) => {
    if (existsSync(result(name))) return;
    cairn("run", scene, "--quiet", "--out", result(name), ...settings.flatMap((s) => ["--set", s]));
  };
  make("wall", "wall", "duration=0.6");
  make("dome", "dome", "duration=0.3");
  make("rock-fall", "rock-fall", "duration=1");
  make("flock", writeFlock(20000, 200));
  for (const name of ["wall", "dome"]) copyFileSync(result(name), join(folder, "shown", `${name}.h5`));
}

export function removeResults(): void {
  rmSync(folder, { recursive: true, force: true });
}

// A wall on quaking ground that takes some seconds to compute; it has its file when this returns.
export async function startRun(name: string): Promise<{ ended: Promise<number | null> }> {
  const args = ["run", "wall", "--quiet", "--out", result(name), "--set", "duration=0.6", "--set", "unevenness=1e-3"];
  const child = spawn(program, args, { cwd: folder, stdio: "ignore" });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  while (!existsSync(result(name))) await new Promise((resolve) => setTimeout(resolve, 20));
  return { ended };
}
