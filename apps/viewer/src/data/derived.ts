// Numbers made from frames and contacts.
import type { Colour } from "../state";
import { BodyKind, Status, type Cast, type Contacts, type Frame } from "./types";

export type Vector = [number, number, number];

export type Quantity = Exclude<Colour, "none" | "material" | "label">;

export const quantities: Record<Quantity, { name: string; unit: string }> = {
  speed: { name: "Speed", unit: "m/s" },
  displacement: { name: "Displacement", unit: "m" },
  spin: { name: "Spin", unit: "rad/s" },
  energy: { name: "Kinetic energy", unit: "J" },
  coordination: { name: "Bodies in contact", unit: "" },
};

export function isQuantity(colour: Colour): colour is Quantity {
  return Object.hasOwn(quantities, colour);
}

export function vectorAt(values: Float32Array, i: number): Vector {
  return [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const scaled = (a: Vector, s: number): Vector => [s * a[0], s * a[1], s * a[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

// From the world's axes into the body's: the quaternion's inverse rotation, v - 2 s (q x v) + 2 q x (q x v).
export function intoBody(r: Float32Array, body: number, v: Vector): Vector {
  const [x, y, z, s] = [r[4 * body], r[4 * body + 1], r[4 * body + 2], r[4 * body + 3]];
  const c: Vector = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
  const d: Vector = [y * c[2] - z * c[1], z * c[0] - x * c[2], x * c[1] - y * c[0]];
  return [v[0] + 2 * (d[0] - s * c[0]), v[1] + 2 * (d[1] - s * c[1]), v[2] + 2 * (d[2] - s * c[2])];
}

// [J]: m |u|^2 / 2 + sum I_i w_i^2 / 2 with the spin in the principal axes. Boundaries have none.
export function kineticEnergy(cast: Cast, frame: Frame, body: number): number {
  const u = vectorAt(frame.u, body);
  const w = intoBody(frame.r, body, vectorAt(frame.w, body));
  const i = vectorAt(cast.inertia, body);
  return (cast.mass[body] * dot(u, u) + i[0] * w[0] ** 2 + i[1] * w[1] ** 2 + i[2] * w[2] ** 2) / 2;
}

export function displacement(frame: Frame, first: Frame, body: number): number {
  return length(minus(vectorAt(frame.x, body), vectorAt(first.x, body)));
}

export function presses(contacts: Contacts, c: number): boolean {
  const p = contacts.impulse;
  return p[3 * c] !== 0 || p[3 * c + 1] !== 0 || p[3 * c + 2] !== 0;
}

// How many other bodies press on each one.
export function coordination(bodies: number, contacts: Contacts): Float32Array {
  const count = new Float32Array(bodies);
  const seen = new Set<number>();
  for (let c = 0; c < contacts.count; ++c) {
    if (!presses(contacts, c)) continue;
    const a = contacts.body[2 * c];
    const b = contacts.body[2 * c + 1];
    const pair = Math.min(a, b) * bodies + Math.max(a, b);
    if (seen.has(pair)) continue;
    seen.add(pair);
    ++count[a];
    ++count[b];
  }
  return count;
}

// A number for every body; zeros where what it needs has not come yet.
export function quantityOf(
  what: Quantity,
  cast: Cast,
  frame: Frame,
  first: Frame | null,
  contacts: Contacts | null,
): Float32Array {
  if (what === "coordination") return contacts ? coordination(cast.bodies, contacts) : new Float32Array(cast.bodies);
  const of: Record<Exclude<Quantity, "coordination">, (body: number) => number> = {
    speed: (b) => length(vectorAt(frame.u, b)),
    spin: (b) => length(vectorAt(frame.w, b)),
    energy: (b) => kineticEnergy(cast, frame, b),
    displacement: (b) => (first ? displacement(frame, first, b) : 0),
  };
  return Float32Array.from({ length: cast.bodies }, (_, b) => of[what](b));
}

export interface BodyContact {
  contact: number;
  other: number;
  force: Vector; // [N] on the body that was asked for
  normal: number; // [N] pressing is positive
  tangential: number; // [N]
  status: Status;
  use: number; // part of the allowed friction, NaN: not known
  gap: number; // [m]
}

// Forces on one body, the largest first. impulse / h is the mean force of the step; frame 0 has none.
export function contactsOn(contacts: Contacts, body: number): BodyContact[] {
  const list: BodyContact[] = [];
  for (let c = 0; c < contacts.count; ++c) {
    const first = contacts.body[2 * c] === body;
    if (!first && contacts.body[2 * c + 1] !== body) continue;
    list.push(contactOn(contacts, c, first));
  }
  return list.sort((a, b) => length(b.force) - length(a.force) || a.contact - b.contact);
}

function contactOn(contacts: Contacts, c: number, first: boolean): BodyContact {
  const perStep = contacts.h > 0 ? (first ? 1 : -1) / contacts.h : 0;
  const force = scaled(vectorAt(contacts.impulse, c), perStep);
  const towards = scaled(vectorAt(contacts.normal, c), first ? 1 : -1);
  const normal = dot(force, towards);
  return {
    contact: c,
    other: contacts.body[2 * c + (first ? 1 : 0)],
    force,
    normal,
    tangential: length(minus(force, scaled(towards, normal))),
    status: contacts.status[c],
    use: contacts.use[c],
    gap: contacts.gap[c],
  };
}

// The value that `part` of the numbers do not exceed.
export function percentile(values: ArrayLike<number>, part: number): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))];
}

// Top of a scale: grows with the frames that were seen, but few outliers do not decide.
export class ScaleTop {
  private readonly seen = new Map<number, number>(); // frame -> its top

  // `within`: which of a frame's values is its top; `over`: which of the frames' tops counts. 1: the largest.
  constructor(
    private readonly within: number,
    private readonly over: number,
  ) {}

  see(k: number, values: ArrayLike<number>): void {
    if (!this.seen.has(k)) this.seen.set(k, percentile(values, this.within));
  }

  get value(): number {
    return percentile([...this.seen.values()].filter((v) => v > 0), this.over);
  }
}

export function freeValues(cast: Cast, values: Float32Array): Float32Array {
  return values.filter((_, b) => cast.kind[b] === BodyKind.free);
}

// [N] of those that press.
export function normalForces(contacts: Contacts): Float32Array {
  if (!(contacts.h > 0)) return new Float32Array(0);
  const forces = new Float32Array(contacts.count);
  for (let c = 0; c < contacts.count; ++c) {
    forces[c] = Math.abs(dot(vectorAt(contacts.impulse, c), vectorAt(contacts.normal, c))) / contacts.h;
  }
  return forces.filter((f) => f > 0);
}
