// Serves the built page and a made-up result to a browser under test, with no server: requests are answered here.
import { readFileSync } from "node:fs";
import type { Page, Route } from "@playwright/test";
import type { Cast, Contacts, ForceRanges, Frame, Path, Source, Steps, Timeline } from "../src/data/types";
import { makeBundle, type TestArray } from "./make_bundle";

type Numbers = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

const types: [new () => Numbers, string][] = [
  [Uint8Array, "u8"],
  [Int32Array, "i32"],
  [Uint32Array, "u32"],
  [Float32Array, "f32"],
  [Float64Array, "f64"],
];

function array(values: Numbers, ...rest: number[]): TestArray {
  const type = types.find(([make]) => values instanceof make)?.[1] ?? "";
  const inner = rest.reduce((a, b) => a * b, 1);
  return { type, shape: [values.length / inner, ...rest], values };
}

function table(values: Numbers, rows: number, columns: number): TestArray {
  return { ...array(values), shape: [rows, columns] };
}

function castBundle(c: Cast): ArrayBuffer {
  const { version, title, scene, parameters, dimension, gravity, size, h, bounds, names, geometry: g } = c;
  return makeBundle(
    { version, title, scene, parameters, dimension, gravity, size, h, bounds, names, contacts: c.hasContacts },
    {
      mass: array(c.mass),
      inertia: array(c.inertia, 3),
      kind: array(c.kind),
      label: array(c.label),
      material: array(c.material),
      ball_body: array(g.ballBody),
      ball_centre: array(g.ballCentre, 3),
      ball_radius: array(g.ballRadius),
      vertex: array(g.vertex, 3),
      triangle: array(g.triangle, 3),
      edge: array(g.edge, 2),
      shape_vertex: array(g.shapeVertex),
      shape_triangle: array(g.shapeTriangle),
      shape_edge: array(g.shapeEdge),
      mesh_body: array(g.meshBody),
      mesh_shape: array(g.meshShape),
      plane_body: array(g.planeBody),
      plane_point: array(g.planePoint, 3),
      plane_normal: array(g.planeNormal, 3),
    },
  );
}

function timelineBundle(t: Timeline): ArrayBuffer {
  const { frames, finished, rows, outcome } = t;
  return makeBundle({ frames, finished, rows, outcome }, { time: array(t.time), h: array(t.h), step: array(t.step) });
}

function frameBundle(f: Frame): ArrayBuffer {
  const { k, t, h, step } = f;
  return makeBundle({ k, t, h, step }, { x: array(f.x, 3), r: array(f.r, 4), u: array(f.u, 3), w: array(f.w, 3) });
}

function contactsBundle(c: Contacts): ArrayBuffer {
  const { k, h } = c;
  return makeBundle(
    { k, h },
    {
      body: array(c.body, 2),
      point: array(c.point, 3),
      normal: array(c.normal, 3),
      impulse: array(c.impulse, 3),
      velocity: array(c.velocity, 3),
      gap: array(c.gap),
      status: array(c.status),
      use: array(c.use),
    },
  );
}

function stepsBundle(s: Steps): ArrayBuffer {
  const { columns, probes, rows, intervals } = s;
  return makeBundle(
    { columns, probes, rows },
    {
      t: array(s.t),
      low: table(s.low, columns.length, intervals),
      high: table(s.high, columns.length, intervals),
      total: table(s.total, columns.length, intervals),
      probe_low: table(s.probeLow, probes.length, intervals),
      probe_high: table(s.probeHigh, probes.length, intervals),
    },
  );
}

const pathBundle = (p: Path): ArrayBuffer => makeBundle({ body: p.body }, { k: array(p.k), x: array(p.x, 3) });

function rangesBundle(r: ForceRanges | null): ArrayBuffer {
  if (r === null) return makeBundle({ frame: null }, {});
  return makeBundle(
    { frame: r.k, t: r.t, freedom: r.freedom },
    {
      least: array(r.least),
      greatest: array(r.greatest),
      solution: array(r.solution),
      central: array(r.central),
      body: array(r.body, 2),
      point: array(r.point, 3),
      normal: array(r.normal, 3),
    },
  );
}

export async function answer(source: Source, path: string, query: URLSearchParams): Promise<ArrayBuffer> {
  const [what, number] = path.split("/");
  const points = Number(query.get("points"));
  if (what === "cast") return castBundle(await source.cast());
  if (what === "timeline") return timelineBundle(await source.timeline(Number(query.get("from"))));
  if (what === "frame") return frameBundle(await source.frame(Number(number)));
  if (what === "contacts") return contactsBundle(await source.contacts(Number(number)));
  if (what === "steps") return stepsBundle(await source.steps(points));
  if (what === "path") return pathBundle(await source.path(Number(number), points));
  if (what === "forces") return rangesBundle(await source.ranges());
  throw new Error(`no such request: ${path}`);
}

export const origin = "http://cairn.test";
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class Served {
  asked: string[] = [];
  errors: string[] = [];
  gone = false; // no request is answered any more
  delay = 0; // [ms] before an answer
  replace = new Map<string, (good: ArrayBuffer) => ArrayBuffer>();

  constructor(
    readonly page: Page,
    readonly source: Source,
  ) {}

  async open(hash = ""): Promise<void> {
    this.page.on("console", (message) => message.type() === "error" && this.errors.push(message.text()));
    this.page.on("pageerror", (error) => this.errors.push(error.message));
    await this.page.route(`${origin}/**`, (route) => this.serve(route));
    await this.page.goto(`${origin}/token/${hash}`);
  }

  async ready(hash = ""): Promise<void> {
    await this.open(hash);
    await this.page.evaluate(() => window.cairn.ready);
  }

  private async serve(route: Route): Promise<void> {
    const address = new URL(route.request().url());
    const path = address.pathname.replace(/^\/token\//, "");
    if (path === "") {
      const body = readFileSync(new URL("../page/index.html", import.meta.url), "utf8");
      return route.fulfill({ body, contentType: "text/html", headers: { "Content-Security-Policy": policy } });
    }
    if (path === "/favicon.ico") return route.fulfill({ status: 204 });
    this.asked.push(path + address.search);
    if (this.gone) return route.abort("connectionrefused");
    const good = await answer(this.source, path, address.searchParams);
    const body = Buffer.from(this.replace.get(path)?.(good) ?? good);
    if (this.delay > 0) await new Promise((done) => setTimeout(done, this.delay));
    await route.fulfill({ body, contentType: "application/octet-stream" }).catch(() => undefined); // aborted meanwhile
  }
}
