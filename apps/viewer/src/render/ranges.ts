// What forces may be: on every contact a bar along the normal, dark as far as the force is certain, light as far as it is
// possible, a tick at the solver's value, a dot at the central one; a ring where no force can be.
import type { BufferGeometry, ShaderMaterial } from "three";
import { percentile } from "../data/derived";
import { BodyKind, type Cast, type ForceRanges, type Frame } from "../data/types";
import { rangeColours, type Rgb } from "./palette";
import { cornerGlsl, quadGeometry } from "./quads";
import { material, type Shared } from "./shared";

type Point = [number, number, number];

enum Shape {
  box = 0,
  disc = 1,
  ring = 2,
  head = 3, // of a bar without end
}

interface Mark {
  from: Point;
  to: Point;
  along: Point; // [m] from the contact to the end of its bar
  half: [number, number]; // [px] beyond the ends, and across
  shape: Shape;
  rgb: Rgb;
}

export interface RangeMarks {
  bars: number;
  idle: number;
  marks: Mark[];
}

export interface RangeScale {
  force: number; // [N]
  length: number; // [m] that it is drawn with
}

const noticed = 1e-8; // of the largest force: a smaller one counts as none
const usual = 0.98; // of the bars are no longer than the scale
const most = 1.3; // [RangeScale.length] of those that would be longer
const arm = 0.95; // part of the way to the body's centre

function largestForce(r: ForceRanges): number {
  let largest = 0;
  for (let i = 0; i < r.count; ++i) {
    largest = Math.max(largest, r.solution[i], Number.isFinite(r.greatest[i]) ? r.greatest[i] : 0);
  }
  return largest;
}

const isIdle = (r: ForceRanges, i: number, scale: number): boolean => !(r.greatest[i] > noticed * scale);

// [m] what bars have room for: the middle one of the distances from contacts to centres of free bodies.
function room(cast: Cast, frame: Frame, r: ForceRanges): number {
  const arms: number[] = [];
  for (let i = 0; i < 2 * r.count; ++i) {
    const body = r.body[i];
    const at = 3 * (i >> 1);
    if (cast.kind[body] !== BodyKind.free) continue;
    arms.push(Math.hypot(...[0, 1, 2].map((c) => r.point[at + c] - frame.x[3 * body + c])));
  }
  return arm * percentile(arms, 0.5);
}

// Null: there is nothing to draw.
export function rangeScale(cast: Cast, frame: Frame, r: ForceRanges): RangeScale | null {
  const largest = largestForce(r);
  const shown: number[] = [];
  for (let i = 0; i < r.count; ++i) {
    if (!isIdle(r, i, largest)) shown.push(Number.isFinite(r.greatest[i]) ? r.greatest[i] : 2 * r.solution[i]);
  }
  const scale: RangeScale = { force: percentile(shown, usual), length: room(cast, frame, r) };
  return scale.force > 0 && scale.length > 0 ? scale : null;
}

// Many contacts get thinner signs.
const penFor = (count: number): number => Math.min(1, Math.max(0.6, 30 / Math.sqrt(1 + count)));

class Drawer {
  readonly marks: Mark[] = [];

  constructor(
    private readonly r: ForceRanges,
    private readonly scale: RangeScale,
    private readonly pen: number,
  ) {}

  ring(i: number): void {
    this.add(i, 0, 0, [0, 0, 0], [0, 3 * this.pen], Shape.ring, rangeColours.central);
  }

  // `side`: 1 towards the first body.
  bar(i: number, side: number): void {
    const { r, pen } = this;
    const endless = !Number.isFinite(r.greatest[i]);
    const end = endless ? most * this.scale.force : r.greatest[i];
    const along = this.vector(i, side * this.length(end));
    const wide = 3 * pen;
    const put = (from: number, to: number, half: [number, number], shape: Shape, rgb: Rgb): void =>
      this.add(i, side * this.length(from), side * this.length(to), along, half, shape, rgb);
    put(Math.min(r.least[i], end), end, [0, wide], Shape.box, rangeColours.possible);
    if (endless) put(end, end, [2 * wide, 2 * wide], Shape.head, rangeColours.possible);
    if (r.least[i] > 0) put(0, r.least[i], [0, wide], Shape.box, rangeColours.certain);
    put(r.solution[i], r.solution[i], [1.2 * pen, 6 * pen], Shape.box, rangeColours.solution);
    if (Number.isFinite(r.central[i])) {
      put(r.central[i], r.central[i], [0, 2.4 * pen], Shape.disc, rangeColours.central);
    }
  }

  private length(force: number): number {
    return this.scale.length * Math.min(force / this.scale.force, most);
  }

  private vector(i: number, metres: number): Point {
    return [0, 1, 2].map((c) => metres * this.r.normal[3 * i + c]) as Point;
  }

  private add(i: number, from: number, to: number, along: Point, half: [number, number], shape: Shape, rgb: Rgb): void {
    const at = (metres: number): Point => this.vector(i, metres).map((v, c) => v + this.r.point[3 * i + c]) as Point;
    this.marks.push({ from: at(from), to: at(to), along, half, shape, rgb });
  }
}

export function rangeMarks(cast: Cast, frame: Frame, r: ForceRanges): RangeMarks {
  const scale = rangeScale(cast, frame, r);
  const largest = largestForce(r);
  const drawer = new Drawer(r, scale ?? { force: 1, length: 0 }, penFor(r.count));
  const made: RangeMarks = { bars: 0, idle: 0, marks: drawer.marks };
  for (let i = 0; i < r.count; ++i) {
    if (isIdle(r, i, largest)) {
      drawer.ring(i);
      ++made.idle;
    } else if (scale) {
      drawer.bar(i, cast.kind[r.body[2 * i]] === BodyKind.free ? 1 : -1);
      ++made.bars;
    }
  }
  return made;
}

export function rangeGeometry({ marks }: RangeMarks): BufferGeometry {
  const floats = (of: (m: Mark) => number[]): Float32Array => new Float32Array(marks.flatMap(of));
  return quadGeometry(marks.length, {
    from: { data: floats((m) => m.from), size: 3 },
    to: { data: floats((m) => m.to), size: 3 },
    along: { data: floats((m) => m.along), size: 3 },
    sides: { data: floats((m) => [...m.half, m.shape]), size: 3 },
    tint: { data: new Uint8Array(marks.flatMap((m) => [...m.rgb, 255])), size: 4, normalised: true },
  });
}

// Flat on the screen: places are divided by w here, so that pixels count evenly across a quad.
const vertexShader = `
in vec3 from;
in vec3 to;
in vec3 along;
in vec3 sides;
in vec4 tint;
uniform vec2 resolution;
uniform float density;
flat out vec4 colour;
flat out vec2 extent;
flat out float shape;
out vec2 place;
${cornerGlsl}
const float margin = 2.5;  // [px] for rim and smooth border
const float shortest = 7.0; // [px] bars below it carry no signs: they would hide it
vec3 onScreen(vec3 p, out bool seen) { // [px] from the middle, and depth
  vec4 c = projectionMatrix * viewMatrix * vec4(p, 1.0);
  seen = c.w > 1e-6;
  return vec3(c.xy / c.w * 0.5 * resolution / density, c.z / c.w);
}
void main() {
  bool good[3];
  vec3 a = onScreen(from, good[0]);
  vec3 b = onScreen(to, good[1]);
  vec2 way = onScreen(from + along, good[2]).xy - a.xy;
  float whole = length(way);
  vec2 x = whole > 1e-3 ? way / whole : vec2(1.0, 0.0);
  vec2 y = vec2(-x.y, x.x);
  shape = sides.z;
  extent = vec2(0.5 * abs(dot(b.xy - a.xy, x)) + (shape == 1.0 || shape == 2.0 ? sides.y : sides.x), sides.y);
  vec2 corner = cornerHere();
  place = vec2(2.0 * corner.x - 1.0, corner.y) * (extent + margin);
  colour = tint;
  bool sign = from == to && shape < 1.5;
  vec2 middle = 0.5 * (a.xy + b.xy) + place.x * x + place.y * y;
  bool hidden = !(good[0] && good[1]) || (sign && whole < shortest) || (shape == 0.0 && extent.x < 0.05);
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(middle * density * 2.0 / resolution, 0.5 * (a.z + b.z), 1.0);
}`;

// Distance from the border in pixels, inside negative; a pale rim keeps signs apart from whatever lies below.
const fragmentShader = `
flat in vec4 colour;
flat in vec2 extent;
flat in float shape;
in vec2 place;
layout(location = 0) out vec4 result;
float border() {
  if (shape == 1.0 || shape == 2.0) return length(place) - extent.y;
  if (shape == 3.0) return max(-extent.x - place.x, abs(place.y) - extent.y * (extent.x - place.x) / (2.0 * extent.x));
  vec2 d = abs(place) - extent;
  return max(d.x, d.y);
}
void main() {
  float d = border();
  vec3 inside = shape == 2.0 ? mix(vec3(1.0), colour.rgb, smoothstep(-1.6, -1.0, d)) : colour.rgb;
  vec3 rgb = mix(inside, vec3(1.0), smoothstep(-0.3, 0.3, d));
  result = vec4(rgb, 1.0 - smoothstep(0.6, 1.4, d));
}`;

// Signs on the picture: nothing hides them.
export function rangeMaterial(shared: Shared): ShaderMaterial {
  return material(shared, { vertexShader, fragmentShader, depthTest: false, depthWrite: false, side: 2 });
}
