// Bundles as the page's own types. Everything a picture will use as a number of a body, frame or corner is checked
// here, so that bad data gives a message and not a broken picture.
import { type Bundle, DataError } from "./bundle";
import { BodyKind, type Cast, type Column, type Contacts, type ForceRanges, type Frame, type Geometry } from "./types";
import type { Path, Steps, Timeline } from "./types";

type Triple = [number, number, number];

function triple(value: unknown, what: string): Triple {
  if (Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === "number")) return value as Triple;
  throw new DataError(`${what} must be three numbers`);
}

function boundsOf(bundle: Bundle): [Triple, Triple] {
  const value = bundle.list("bounds");
  return [triple(value[0], `${bundle.what}: bounds`), triple(value[1], `${bundle.what}: bounds`)];
}

function below(values: Uint32Array, limit: number, what: string): void {
  for (const value of values) {
    if (value >= limit) throw new DataError(`${what}: ${value} is out of range, there are ${limit}`);
  }
}

function rising(offsets: Uint32Array, last: number, what: string): void {
  let before = 0;
  for (const value of offsets) {
    if (value < before || value > last) throw new DataError(`${what}: the places where shapes begin are out of order`);
    before = value;
  }
}

// Corners are numbered within a shape.
function corners(g: Geometry, list: Uint32Array, starts: Uint32Array, per: number, what: string): void {
  for (let s = 0; s + 1 < starts.length; ++s) {
    const limit = g.shapeVertex[s + 1] - g.shapeVertex[s];
    below(list.subarray(per * starts[s], per * starts[s + 1]), limit, what);
  }
}

function checkGeometry(g: Geometry, bodies: number, what: string): void {
  const shapes = Math.max(g.shapeVertex.length - 1, 0);
  below(g.ballBody, bodies, `${what}: ball_body`);
  below(g.meshBody, bodies, `${what}: mesh_body`);
  below(g.meshShape, shapes, `${what}: mesh_shape`);
  below(g.planeBody, bodies, `${what}: plane_body`);
  rising(g.shapeVertex, g.vertex.length / 3, `${what}: shape_vertex`);
  rising(g.shapeTriangle, g.triangle.length / 3, `${what}: shape_triangle`);
  rising(g.shapeEdge, g.edge.length / 2, `${what}: shape_edge`);
  corners(g, g.triangle, g.shapeTriangle, 3, `${what}: triangle`);
  corners(g, g.edge, g.shapeEdge, 2, `${what}: edge`);
}

function geometryOf(b: Bundle, bodies: number): Geometry {
  const ballBody = b.array("ball_body", "u32", [-1]);
  const meshBody = b.array("mesh_body", "u32", [-1]);
  const planeBody = b.array("plane_body", "u32", [-1]);
  const shapeVertex = b.array("shape_vertex", "u32", [-1]);
  const geometry: Geometry = {
    ballBody,
    ballCentre: b.array("ball_centre", "f32", [ballBody.length, 3]),
    ballRadius: b.array("ball_radius", "f32", [ballBody.length]),
    vertex: b.array("vertex", "f32", [-1, 3]),
    triangle: b.array("triangle", "u32", [-1, 3]),
    edge: b.array("edge", "u32", [-1, 2]),
    shapeVertex,
    shapeTriangle: b.array("shape_triangle", "u32", [shapeVertex.length]),
    shapeEdge: b.array("shape_edge", "u32", [shapeVertex.length]),
    meshBody,
    meshShape: b.array("mesh_shape", "u32", [meshBody.length]),
    planeBody,
    planePoint: b.array("plane_point", "f32", [planeBody.length, 3]),
    planeNormal: b.array("plane_normal", "f32", [planeBody.length, 3]),
  };
  checkGeometry(geometry, bodies, b.what);
  return geometry;
}

// Median of how far free bodies reach from their centres: what widths and lengths on the picture go by. One long lid
// among small grains does not matter.
function typicalReach(g: Geometry, kind: Uint8Array): number {
  const reach = new Float32Array(kind.length);
  const extend = (body: number, points: Float32Array, i: number, radius: number): void => {
    const far = Math.hypot(points[3 * i], points[3 * i + 1], points[3 * i + 2]) + radius;
    reach[body] = Math.max(reach[body], far);
  };
  g.ballBody.forEach((body, i) => extend(body, g.ballCentre, i, g.ballRadius[i]));
  g.meshBody.forEach((body, i) => {
    const shape = g.meshShape[i];
    for (let v = g.shapeVertex[shape]; v < g.shapeVertex[shape + 1]; ++v) extend(body, g.vertex, v, 0);
  });
  const free = reach.filter((r, body) => kind[body] === BodyKind.free && r > 0).sort();
  return free.length > 0 ? free[Math.floor(free.length / 2)] : 0;
}

export function castOf(b: Bundle): Cast {
  const names = b.list("names").map(String);
  const bodies = names.length;
  const dimension = b.number("dimension");
  if (dimension !== 2 && dimension !== 3) throw new DataError(`${b.what}: dimension must be 2 or 3, not ${dimension}`);
  const kind = b.array("kind", "u8", [bodies]);
  const geometry = geometryOf(b, bodies);
  return {
    version: b.text("version"),
    title: b.text("title"),
    scene: b.text("scene"),
    parameters: b.object("parameters"),
    dimension,
    gravity: triple(b.fields.gravity, `${b.what}: gravity`),
    size: typicalReach(geometry, kind) || b.number("size"),
    h: b.number("h"),
    hasContacts: b.flag("contacts"),
    bounds: boundsOf(b),
    names,
    bodies,
    mass: b.array("mass", "f32", [bodies]),
    inertia: b.array("inertia", "f32", [bodies, 3]),
    kind,
    label: b.array("label", "i32", [bodies]),
    material: b.array("material", "i32", [bodies]),
    geometry,
    note: b.text("note", ""),
  };
}

export function timelineOf(b: Bundle): Timeline {
  const time = b.array("time", "f64", [-1]);
  return {
    frames: b.count("frames"),
    finished: b.flag("finished"),
    rows: b.count("rows"),
    outcome: b.fields.outcome === null || b.fields.outcome === undefined ? null : b.object("outcome"),
    time,
    h: b.array("h", "f64", [time.length]),
    step: b.array("step", "f64", [time.length]),
  };
}

export function frameOf(b: Bundle, bodies = -1): Frame {
  const x = b.array("x", "f32", [bodies, 3]);
  const n = x.length / 3;
  return {
    k: b.count("k"),
    t: b.number("t"),
    h: b.number("h"),
    step: b.number("step"),
    x,
    r: b.array("r", "f32", [n, 4]),
    u: b.array("u", "f32", [n, 3]),
    w: b.array("w", "f32", [n, 3]),
  };
}

export function contactsOf(b: Bundle, bodies = Number.POSITIVE_INFINITY): Contacts {
  const body = b.array("body", "u32", [-1, 2]);
  const count = body.length / 2;
  below(body, bodies, `${b.what}: body`);
  return {
    k: b.count("k"),
    h: b.number("h"),
    count,
    body,
    point: b.array("point", "f32", [count, 3]),
    normal: b.array("normal", "f32", [count, 3]),
    impulse: b.array("impulse", "f32", [count, 3]),
    velocity: b.array("velocity", "f32", [count, 3]),
    gap: b.array("gap", "f32", [count]),
    status: b.array("status", "u8", [count]),
    use: b.array("use", "f32", [count]),
  };
}

// Null: the program was given none.
export function rangesOf(b: Bundle, bodies = Number.POSITIVE_INFINITY): ForceRanges | null {
  if (b.fields.frame === null) return null;
  const least = b.array("least", "f64", [-1]);
  const count = least.length;
  const body = b.array("body", "u32", [count, 2]);
  below(body, bodies, `${b.what}: body`);
  return {
    k: b.count("frame"),
    t: b.number("t"),
    freedom: b.number("freedom"),
    count,
    least,
    greatest: b.array("greatest", "f64", [count]),
    solution: b.array("solution", "f64", [count]),
    central: b.array("central", "f64", [count]),
    body,
    point: b.array("point", "f32", [count, 3]),
    normal: b.array("normal", "f32", [count, 3]),
  };
}

function columnsOf(b: Bundle, name: string): Column[] {
  return b.list(name).map((entry) => {
    const column = entry as Partial<Column> | null;
    if (typeof column?.name !== "string") throw new DataError(`${b.what}: an entry of "${name}" has no name`);
    return { name: column.name, unit: String(column.unit ?? ""), doc: String(column.doc ?? "") };
  });
}

export function stepsOf(b: Bundle): Steps {
  const columns = columnsOf(b, "columns");
  const probes = columnsOf(b, "probes");
  const t = b.array("t", "f64", [-1]);
  return {
    rows: b.count("rows"),
    columns,
    probes,
    intervals: t.length,
    t,
    low: b.array("low", "f32", [columns.length, t.length]),
    high: b.array("high", "f32", [columns.length, t.length]),
    total: b.array("total", "f64", [columns.length, t.length]),
    probeLow: b.array("probe_low", "f32", [probes.length, t.length]),
    probeHigh: b.array("probe_high", "f32", [probes.length, t.length]),
  };
}

export function pathOf(b: Bundle): Path {
  const k = b.array("k", "i32", [-1]);
  return { body: b.count("body"), k, x: b.array("x", "f32", [k.length, 3]) };
}
