import { expect, test } from "@playwright/test";
import { contactsOn, coordination, intoBody, kineticEnergy, normalForces } from "../src/data/derived";
import { percentile, quantityOf, ScaleTop } from "../src/data/derived";
import { Status, type Cast, type Contacts, type Frame } from "../src/data/types";
import { synthetic } from "./synthetic";

const half = Math.SQRT1_2;

// Body 0 turned by 90 degrees about z: its axis x is the world's y.
const frame: Frame = {
  k: 4,
  t: 1,
  h: 0.01,
  step: 100,
  x: new Float32Array([1, 2, 2, 0, 0, 0, 0, 0, 0]),
  r: new Float32Array([0, 0, half, half, 0, 0, 0, 1, 0, 0, 0, 1]),
  u: new Float32Array([3, 0, 4, 0, 0, 0, 0, 0, 0]),
  w: new Float32Array([1, 2, 3, 0, 0, 0, 0, 0, 0]),
};
const start: Frame = { ...frame, k: 0, x: new Float32Array(9) };
const cast = {
  bodies: 3,
  mass: new Float32Array([2, 1, 0]),
  inertia: new Float32Array([10, 20, 30, 1, 1, 1, 0, 0, 0]),
  kind: new Uint8Array([0, 0, 1]),
} as Cast;

// Two contacts between 0 and 2, one between 1 and 0, one without impulse. Normals point to the first body.
const contacts: Contacts = {
  k: 4,
  h: 0.01,
  count: 4,
  body: new Uint32Array([0, 2, 0, 2, 1, 0, 1, 2]),
  point: new Float32Array(12),
  normal: new Float32Array([0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1]),
  impulse: new Float32Array([0.03, 0, 0.04, 0, 0, 0.1, 0, 0.2, 0, 0, 0, 0]),
  velocity: new Float32Array(12),
  gap: new Float32Array([0, 1e-6, 0, 1e-3]),
  status: new Uint8Array([2, 1, 1, 0]),
  use: new Float32Array([1, 0, 0, Number.NaN]),
};

test("speed, spin, displacement", () => {
  expect([...quantityOf("speed", cast, frame, null, null)]).toEqual([5, 0, 0]);
  expect(quantityOf("spin", cast, frame, null, null)[0]).toBeCloseTo(Math.sqrt(14), 6);
  expect([...quantityOf("displacement", cast, frame, start, null)]).toEqual([3, 0, 0]);
  expect([...quantityOf("displacement", cast, frame, null, null)]).toEqual([0, 0, 0]);
});

test("the spin is turned into the body's axes before it meets the principal inertia", () => {
  const w = intoBody(frame.r, 0, [1, 2, 3]);
  [2, -1, 3].forEach((value, i) => expect(w[i]).toBeCloseTo(value, 6));
  // 2 kg (5 m/s)^2 / 2 + (10 2^2 + 20 1^2 + 30 3^2) / 2
  expect(kineticEnergy(cast, frame, 0)).toBeCloseTo(25 + 165, 4);
});

test("coordination counts other bodies that press, each once", () => {
  expect([...coordination(3, contacts)]).toEqual([2, 1, 1]);
});

test("forces on a body: those of others are turned round, largest first", () => {
  const on0 = contactsOn(contacts, 0);
  expect(on0.map((c) => c.other)).toEqual([1, 2, 2]);
  expect(on0[0].force.map((v) => Math.round(v * 1e4) / 1e4 + 0)).toEqual([0, -20, 0]); // it is the second body there
  expect(on0[0].normal).toBeCloseTo(20, 4);
  expect(on0[0].status).toBe(Status.stick);
  const slide = on0[2];
  expect(slide.normal).toBeCloseTo(4, 5);
  expect(slide.tangential).toBeCloseTo(3, 5);
  expect(slide.use).toBe(1);
  const on2 = contactsOn(contacts, 2);
  expect(on2.map((c) => c.contact)).toEqual([1, 0, 3]);
  expect(on2[1].force[0]).toBeCloseTo(-3, 5);
  expect(on2[1].normal).toBeCloseTo(4, 5);
});

test("frame 0 has no step and so no forces", () => {
  expect(contactsOn({ ...contacts, h: 0 }, 0)[0].force.every((v) => v === 0)).toBe(true);
  expect(normalForces({ ...contacts, h: 0 }).length).toBe(0);
});

test("normal forces of contacts that press", () => {
  expect([...normalForces(contacts)].map((f) => Math.round(f * 1e3) / 1e3)).toEqual([4, 10, 20]);
});

test("the top of a scale: few outliers do not decide, and it grows with what was seen", () => {
  expect(percentile([], 0.5)).toBe(0);
  expect(percentile([5, 1, 3], 0.5)).toBe(3);
  const values = Float32Array.from({ length: 100 }, (_, i) => (i === 99 ? 1e6 : i));
  const top = new ScaleTop(0.98, 1);
  top.see(0, values);
  expect(top.value).toBe(97);
  top.see(1, [500]);
  expect(top.value).toBe(500);
  top.see(2, [0]);
  expect(top.value).toBe(500);
  const median = new ScaleTop(0.98, 0.5);
  [10, 12, 9000].forEach((v, k) => median.see(k, [v]));
  expect(median.value).toBe(12);
});

test("in the plane the spin's energy is the last inertia's", async () => {
  const source = synthetic(2, 12);
  const [all, at] = [await source.cast(), await source.frame(7)];
  for (let b = 0; b < all.bodies; ++b) {
    const u2 = at.u[3 * b] ** 2 + at.u[3 * b + 1] ** 2;
    const want = (all.mass[b] * u2 + all.inertia[3 * b + 2] * at.w[3 * b + 2] ** 2) / 2;
    expect(Math.abs(kineticEnergy(all, at, b) - want)).toBeLessThanOrEqual(1e-5 * want);
  }
});
