// A made-up result that has one of everything: for development and for tests that need no server.
import { BodyKind, Status } from "../src/data/types";
import type { Cast, Contacts, Frame, Geometry, Path, Source, Steps, Timeline } from "../src/data/types";

const frames = 50;
const step = 0.02; // [s] between frames
const h = 1e-3; // [s]
const radius = 0.1; // [m] balls and half sides of boxes
const gravity = 9.81;

export type Content = "mixed" | "balls" | "boxes";

// Bodies 0 and 1 are the half-space and the terrain, 2 is the compound, then balls and boxes in turn.
export function synthetic(dimension: 2 | 3, bodies: number, content: Content = "mixed"): Source {
  const cast = makeCast(dimension, Math.max(bodies, 4), content);
  return {
    live: false,
    cast: async () => cast,
    timeline: async (from) => makeTimeline(from),
    frame: async (k) => makeFrame(cast, k),
    contacts: async (k) => makeContacts(cast, k),
    steps: async (points) => makeSteps(cast, points),
    path: async (body, points) => makePath(cast, body, points),
    ranges: async () => null,
    bytes: () => 0,
  };
}

const isBall = (b: number, content: Content) => content === "balls" || (content === "mixed" && b % 2 === 1);

class Shapes {
  vertex: number[] = [];
  triangle: number[] = [];
  edge: number[] = [];
  starts = { vertex: [0], triangle: [0], edge: [0] };

  add(vertex: number[], triangle: number[], edge: number[]): number {
    for (const v of vertex) this.vertex.push(v);
    for (const t of triangle) this.triangle.push(t);
    for (const e of edge) this.edge.push(e);
    this.starts.vertex.push(this.vertex.length / 3);
    this.starts.triangle.push(this.triangle.length / 3);
    this.starts.edge.push(this.edge.length / 2);
    return this.starts.vertex.length - 2;
  }
}

function addBox(shapes: Shapes, dimension: 2 | 3, x: number, y: number, z: number): number {
  if (dimension === 2) {
    return shapes.add([-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0], [0, 1, 2, 0, 2, 3], [0, 1, 1, 2, 2, 3, 3, 0]);
  }
  const vertex: number[] = [];
  for (let c = 0; c < 8; ++c) vertex.push(c & 1 ? x : -x, c & 2 ? y : -y, c & 4 ? z : -z);
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangle = faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const edge: number[] = [];
  for (let c = 0; c < 8; ++c) for (const bit of [1, 2, 4]) if (!(c & bit)) edge.push(c, c | bit);
  return shapes.add(vertex, triangle, edge);
}

// A slope beside the bodies: a surface in space, a line of edges alone in the plane.
function addTerrain(shapes: Shapes, dimension: 2 | 3, side: number): number {
  const n = 16;
  const at = (i: number) => -side + (2 * side * i) / n;
  const wave = (u: number, v: number) => 0.4 * Math.sin((5 * u) / side) + 0.3 * Math.cos((4 * v) / side);
  const height = (u: number, v: number) => 0.15 * side * (1 + wave(u, v));
  const vertex: number[] = [];
  const triangle: number[] = [];
  const edge: number[] = [];
  if (dimension === 2) {
    for (let i = 0; i <= n; ++i) vertex.push(at(i), height(at(i), 0), 0);
    for (let i = 0; i < n; ++i) edge.push(i, i + 1);
    return shapes.add(vertex, triangle, edge);
  }
  for (let j = 0; j <= n; ++j) for (let i = 0; i <= n; ++i) vertex.push(at(i), at(j), height(at(i), at(j)));
  const number = (i: number, j: number) => j * (n + 1) + i;
  for (let j = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i) {
      const [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
      triangle.push(a, b, c, a, c, d);
    }
  }
  for (let i = 0; i < n; ++i) {
    edge.push(number(i, 0), number(i + 1, 0), number(i, n), number(i + 1, n));
    edge.push(number(0, i), number(0, i + 1), number(n, i), number(n, i + 1));
  }
  return shapes.add(vertex, triangle, edge);
}

function makeGeometry(dimension: 2 | 3, bodies: number, content: Content, side: number): Geometry {
  const shapes = new Shapes();
  const box = addBox(shapes, dimension, radius, 0.8 * radius, 0.9 * radius);
  const bar = addBox(shapes, dimension, 1.2 * radius, 0.35 * radius, 0.35 * radius);
  const terrain = addTerrain(shapes, dimension, side);
  const balls: { body: number; x: number; r: number }[] = [];
  const meshes: [number, number][] = [[1, terrain], [2, bar]];
  balls.push({ body: 2, x: -1.3 * radius, r: 0.7 * radius }, { body: 2, x: 1.3 * radius, r: 0.7 * radius });
  for (let b = 3; b < bodies; ++b) {
    if (isBall(b, content)) balls.push({ body: b, x: 0, r: radius * (0.8 + 0.2 * Math.sin(7 * b) ** 2) });
    else meshes.push([b, box]);
  }
  return {
    ballBody: Uint32Array.from(balls, (b) => b.body),
    ballCentre: Float32Array.from(balls.flatMap((b) => [b.x, 0, 0])),
    ballRadius: Float32Array.from(balls, (b) => b.r),
    vertex: Float32Array.from(shapes.vertex),
    triangle: Uint32Array.from(shapes.triangle),
    edge: Uint32Array.from(shapes.edge),
    shapeVertex: Uint32Array.from(shapes.starts.vertex),
    shapeTriangle: Uint32Array.from(shapes.starts.triangle),
    shapeEdge: Uint32Array.from(shapes.starts.edge),
    meshBody: Uint32Array.from(meshes, (m) => m[0]),
    meshShape: Uint32Array.from(meshes, (m) => m[1]),
    planeBody: Uint32Array.of(0),
    planePoint: Float32Array.of(0, 0, 0),
    planeNormal: dimension === 2 ? Float32Array.of(0, 1, 0) : Float32Array.of(0, 0, 1),
  };
}

// Bodies stand in rows of so many, upwards along the last axis.
function rowsOf(dimension: 2 | 3, bodies: number): number {
  return Math.ceil((bodies - 3) ** (1 / dimension));
}

function makeCast(dimension: 2 | 3, bodies: number, content: Content): Cast {
  const side = rowsOf(dimension, bodies) * radius * 1.05;
  const boundary = (b: number) => b < 2;
  const mass = (b: number) => (boundary(b) ? 0 : 1 + (b % 5));
  const top = 2.2 * side + 8 * radius;
  return {
    version: "0.1.0",
    title: "Balls, boxes and a bar",
    scene: `# made up\ndimension = ${dimension}\n`,
    parameters: { friction: 0.5, bodies },
    dimension,
    gravity: dimension === 2 ? [0, -gravity, 0] : [0, 0, -gravity],
    size: 2 * radius,
    h,
    hasContacts: true,
    bounds: dimension === 2 ? [[-side, 0, 0], [3.5 * side, top, 0]] : [[-side, -side, 0], [3.5 * side, side, top]],
    names: Array.from({ length: bodies }, (_, b) => ["ground", "terrain", "bar"][b] ?? `body ${b}`),
    bodies,
    mass: Float32Array.from({ length: bodies }, (_, b) => mass(b)),
    inertia: Float32Array.from({ length: 3 * bodies }, (_, i) => 0.004 * mass(Math.floor(i / 3))),
    kind: Uint8Array.from({ length: bodies }, (_, b) => (boundary(b) ? BodyKind.fixed : BodyKind.free)),
    label: Int32Array.from({ length: bodies }, (_, b) => b % 4),
    material: Int32Array.from({ length: bodies }, (_, b) => (boundary(b) ? 0 : 1 + (b % 2))),
    geometry: makeGeometry(dimension, bodies, content, side),
    note: "",
  };
}

function restPlace(cast: Cast, b: number): [number, number, number] {
  const n = rowsOf(cast.dimension, cast.bodies);
  const pitch = 2.1 * radius;
  const i = b - 3;
  const along = ((i % n) - (n - 1) / 2) * pitch;
  if (cast.dimension === 2) return [along, radius + Math.floor(i / n) * pitch, 0];
  const across = ((Math.floor(i / n) % n) - (n - 1) / 2) * pitch;
  return [along, across, radius + Math.floor(i / (n * n)) * pitch];
}

// All sway a little and turn; the bar falls from above, the higher the wider the sway.
function makeFrame(cast: Cast, k: number): Frame {
  const t = k * step;
  const n = cast.bodies;
  const up = cast.dimension - 1;
  const side = cast.bounds[0][0];
  const square = new Set(cast.geometry.meshBody);
  const frame: Frame = {
    k, t, h: k === 0 ? 0 : h, step: k * 20,
    x: new Float32Array(3 * n), r: new Float32Array(4 * n), u: new Float32Array(3 * n), w: new Float32Array(3 * n),
  };
  for (let b = 0; b < n; ++b) frame.r[4 * b + 3] = 1;
  frame.x[3] = -2.4 * side;
  for (let b = 2; b < n; ++b) {
    const place = b === 2 ? ([0, 0, 0] as [number, number, number]) : restPlace(cast, b);
    if (b === 2) place[up] = 2.2 * -side + 6 * radius - 2 * t * t;
    const sway = b === 2 ? 0 : 0.03 * place[up];
    place[0] += sway * Math.sin(2 * Math.PI * t);
    const spin = b === 2 ? 1 : square.has(b) ? 0.2 * Math.sin(b) : 2 * Math.sin(b);
    const axis = cast.dimension === 2 ? 2 : b % 3;
    frame.x.set(place, 3 * b);
    frame.u[3 * b] = sway * 2 * Math.PI * Math.cos(2 * Math.PI * t);
    if (b === 2) frame.u[3 * b + up] = -4 * t;
    frame.r[4 * b + axis] = Math.sin((spin * t) / 2);
    frame.r[4 * b + 3] = Math.cos((spin * t) / 2);
    frame.w[3 * b + axis] = spin;
  }
  return frame;
}

// Each body rests on the one below it, or on the ground, with the weight of all above; some also touch sideways.
function makeContacts(cast: Cast, k: number): Contacts {
  const frame = makeFrame(cast, k);
  const rows = rowsOf(cast.dimension, cast.bodies);
  const layer = rows ** (cast.dimension - 1);
  const up = cast.dimension - 1;
  const pairs: { a: number; b: number; dir: number; n: number; t: number }[] = [];
  for (let b = 3; b < cast.bodies; ++b) {
    const above = Math.floor((cast.bodies - 1 - b) / layer) + 1;
    const below = b - layer >= 3 ? b - layer : 0;
    const weight = above * 3 * gravity * (1 + 0.5 * Math.sin(3 * b));
    pairs.push({ a: b, b: below, dir: up, n: weight, t: 0.4 * Math.sin(5 * b) });
    if ((b - 3) % rows > 0 && b % 3 === 0) pairs.push({ a: b, b: b - 1, dir: 0, n: above * 8, t: 0.2 });
  }
  return asContacts(frame, pairs, k);
}

function asContacts(
  frame: Frame,
  pairs: { a: number; b: number; dir: number; n: number; t: number }[],
  k: number,
): Contacts {
  const count = pairs.length;
  const c: Contacts = {
    k, h, count,
    body: new Uint32Array(2 * count), point: new Float32Array(3 * count), normal: new Float32Array(3 * count),
    impulse: new Float32Array(3 * count), velocity: new Float32Array(3 * count), gap: new Float32Array(count),
    status: new Uint8Array(count), use: new Float32Array(count),
  };
  pairs.forEach(({ a, b, dir, n, t }, i) => {
    c.body.set([a, b], 2 * i);
    for (let q = 0; q < 3; ++q) {
      const own = frame.x[3 * a + q];
      c.point[3 * i + q] = b === 0 ? own - (q === dir ? radius : 0) : (own + frame.x[3 * b + q]) / 2;
    }
    const off = i % 17 === 0;
    c.normal[3 * i + dir] = 1;
    c.impulse[3 * i + dir] = off ? 0 : n * h;
    c.impulse[3 * i + (dir === 0 ? 1 : 0)] = off ? 0 : n * h * t;
    c.use[i] = off ? NaN : Math.min(1, Math.abs(t) / 0.39);
    c.status[i] = off ? Status.takeOff : c.use[i] >= 1 ? Status.slide : Status.stick;
  });
  return c;
}

function makeTimeline(from: number): Timeline {
  const count = Math.max(0, frames - from);
  const of = (value: (k: number) => number) => Float64Array.from({ length: count }, (_, i) => value(from + i));
  return {
    frames,
    finished: true,
    rows: (frames - 1) * 20,
    outcome: { stopped: "end of time" },
    time: of((k) => k * step),
    h: of((k) => (k === 0 ? 0 : h)),
    step: of((k) => k * 20),
  };
}

// Columns as the program writes them; the bar's fall is the only thing that has energy.
function makeSteps(cast: Cast, points: number): Steps {
  const rows = (frames - 1) * 20;
  const n = Math.max(1, Math.min(points, rows));
  const t = Float64Array.from({ length: n }, (_, i) => ((i + 1) * (frames - 1) * step) / n);
  const m = cast.mass[2];
  const columns = [
    { name: "error", unit: "", doc: "of the contact problem", at: (s: number) => 1e-9 * (2 + Math.sin(40 * s)) },
    { name: "closed", unit: "", doc: "contacts with an impulse", at: () => cast.bodies - 3 },
    { name: "kinetic", unit: "J", doc: "kinetic energy", at: (s: number) => 0.5 * m * (4 * s) ** 2 },
    { name: "applied", unit: "J", doc: "work of gravity and loads", at: (s: number) => (m * 16 * s * h) },
    { name: "dissipation", unit: "J", doc: "by friction and impacts", at: () => 0 },
  ];
  const low = new Float32Array(columns.length * n);
  const total = new Float64Array(columns.length * n);
  columns.forEach((column, c) => {
    let sum = 0;
    for (let i = 0; i < n; ++i) {
      low[c * n + i] = column.at(t[i]);
      total[c * n + i] = sum += (column.at(t[i]) * rows) / n;
    }
  });
  return {
    rows, intervals: n, t, low, high: low.map((v) => 1.02 * v), total,
    columns: columns.map(({ name, unit, doc }) => ({ name, unit, doc })),
    probes: [{ name: "height of the bar", unit: "m" }],
    probeLow: Float32Array.from(t, (s) => 3 - 2 * s * s),
    probeHigh: Float32Array.from(t, (s) => 3 - 2 * s * s),
  };
}

function makePath(cast: Cast, body: number, points: number): Path {
  const n = Math.max(2, Math.min(points, frames));
  const k = Int32Array.from({ length: n }, (_, i) => Math.round((i * (frames - 1)) / (n - 1)));
  const x = new Float32Array(3 * n);
  k.forEach((frame, i) => x.set(makeFrame(cast, frame).x.subarray(3 * body, 3 * body + 3), 3 * i));
  return { body, k, x };
}
