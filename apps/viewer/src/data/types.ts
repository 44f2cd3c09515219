// What the page knows of a result. Arrays are those of docs/view-data.md.

export interface Geometry {
  ballBody: Uint32Array;
  ballCentre: Float32Array; // (balls, 3) in the axes of the body
  ballRadius: Float32Array;
  vertex: Float32Array; // (v, 3)
  triangle: Uint32Array; // (t, 3) numbered within the shape
  edge: Uint32Array; // (e, 2) numbered within the shape
  shapeVertex: Uint32Array; // (shapes + 1) where each begins
  shapeTriangle: Uint32Array;
  shapeEdge: Uint32Array;
  meshBody: Uint32Array;
  meshShape: Uint32Array;
  planeBody: Uint32Array;
  planePoint: Float32Array; // (planes, 3)
  planeNormal: Float32Array; // (planes, 3)
}

export enum BodyKind {
  free = 0,
  fixed = 1,
  moved = 2,
}

export interface Cast {
  version: string;
  title: string;
  scene: string;
  parameters: Record<string, unknown>;
  dimension: 2 | 3;
  gravity: [number, number, number]; // [m/s^2]
  size: number; // [m] how far a free body reaches from its centre, typically
  h: number; // [s]
  hasContacts: boolean;
  bounds: [[number, number, number], [number, number, number]]; // [m] of frame 0
  names: string[];
  bodies: number;
  mass: Float32Array; // [kg]
  inertia: Float32Array; // (bodies, 3) [kg m^2]
  kind: Uint8Array; // BodyKind
  label: Int32Array;
  material: Int32Array;
  geometry: Geometry;
  note: string; // how an exported file was thinned; empty: as recorded
}

export interface Timeline {
  frames: number;
  finished: boolean;
  rows: number;
  outcome: Record<string, unknown> | null;
  time: Float64Array; // (frames) [s]
  h: Float64Array; // (frames) [s] of the step before the frame; 0 in frame 0
  step: Float64Array; // (frames)
}

export interface Frame {
  k: number;
  t: number; // [s]
  h: number; // [s]
  step: number;
  x: Float32Array; // (bodies, 3) [m]
  r: Float32Array; // (bodies, 4) quaternion x, y, z, w
  u: Float32Array; // (bodies, 3) [m/s]
  w: Float32Array; // (bodies, 3) [rad/s] in the world's axes
}

export enum Status {
  takeOff = 0,
  stick = 1,
  slide = 2,
}

export interface Contacts {
  k: number;
  h: number; // [s]: impulse / h is the mean force of the step
  count: number;
  body: Uint32Array; // (contacts, 2)
  point: Float32Array; // (contacts, 3) [m]
  normal: Float32Array; // (contacts, 3) from the second body to the first
  impulse: Float32Array; // (contacts, 3) [N s] on the first body
  velocity: Float32Array; // (contacts, 3) [m/s] of the first against the second
  gap: Float32Array; // [m]
  status: Uint8Array;
  use: Float32Array; // part of the allowed friction in use, 0 to 1; NaN: not known
}

// What forces may be at the contacts of one frame (docs/forces.md). Places are their own: an exported page may have fewer
// contacts.
export interface ForceRanges {
  k: number; // frame
  t: number; // [s]
  freedom: number; // dimension of the set of forces
  count: number;
  least: Float64Array; // (count) [N] along the normal
  greatest: Float64Array; // (count) [N] infinite: no bound
  solution: Float64Array; // (count) [N] the solver's
  central: Float64Array; // (count) [N] NaN: there is none
  body: Uint32Array; // (count, 2)
  point: Float32Array; // (count, 3) [m]
  normal: Float32Array; // (count, 3) from the second body to the first
}

export interface Column {
  name: string;
  unit: string;
  doc?: string;
}

export interface Steps {
  rows: number;
  columns: Column[];
  probes: Column[];
  intervals: number;
  t: Float64Array; // (intervals) [s] end of each
  low: Float32Array; // (columns, intervals)
  high: Float32Array;
  total: Float64Array; // (columns, intervals) sum of all steps so far
  probeLow: Float32Array; // (probes, intervals)
  probeHigh: Float32Array;
}

export interface Path {
  body: number;
  k: Int32Array;
  x: Float32Array; // (points, 3)
}

// Where bundles come from: a server, or the page itself.
export interface Source {
  readonly live: boolean; // may grow
  cast(): Promise<Cast>;
  timeline(from: number): Promise<Timeline>; // arrays hold frames `from` and later only
  frame(k: number, signal?: AbortSignal): Promise<Frame>;
  contacts(k: number, signal?: AbortSignal): Promise<Contacts>;
  steps(points: number): Promise<Steps>;
  path(body: number, points: number): Promise<Path>;
  ranges(): Promise<ForceRanges | null>; // null: none were given
  bytes(): number; // read so far
}
