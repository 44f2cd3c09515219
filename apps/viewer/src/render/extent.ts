// How far bodies reach: what fitting, following and clipping go by.
import { Box3, Quaternion, Vector3 } from "three";
import type { Cast, Frame } from "../data/types";

// Points in the axes of their bodies, each with a radius around it, whose hull holds all that is bounded.
export class Extent {
  readonly reach: Float32Array; // [m] (bodies) from the body's origin; 0: unbounded or nothing
  readonly largest: number; // [m]
  private readonly body: Uint32Array;
  private readonly point: Float32Array;
  private readonly radius: Float32Array;

  constructor(cast: Cast) {
    const g = cast.geometry;
    const boxes = new Map<number, Box3>();
    const at = new Vector3();
    for (let i = 0; i < g.meshBody.length; ++i) {
      const box = boxes.get(g.meshBody[i]) ?? new Box3();
      boxes.set(g.meshBody[i], box);
      for (let v = g.shapeVertex[g.meshShape[i]]; v < g.shapeVertex[g.meshShape[i] + 1]; ++v) {
        box.expandByPoint(at.fromArray(g.vertex, 3 * v));
      }
    }
    const balls = g.ballBody.length;
    const count = balls + 8 * boxes.size;
    this.body = new Uint32Array(count);
    this.point = new Float32Array(3 * count);
    this.radius = new Float32Array(count);
    this.body.set(g.ballBody);
    this.point.set(g.ballCentre);
    this.radius.set(g.ballRadius);
    let next = balls;
    for (const [body, { min, max }] of boxes) {
      for (let c = 0; c < 8; ++c, ++next) {
        this.body[next] = body;
        at.set(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z).toArray(this.point, 3 * next);
      }
    }
    this.reach = new Float32Array(cast.bodies);
    let largest = 0;
    for (let i = 0; i < count; ++i) {
      const far = Math.hypot(this.point[3 * i], this.point[3 * i + 1], this.point[3 * i + 2]) + this.radius[i];
      this.reach[this.body[i]] = Math.max(this.reach[this.body[i]], far);
      largest = Math.max(largest, far);
    }
    this.largest = largest;
  }

  // All points in the world's axes; `of`: of these bodies alone.
  each(frame: Frame, of: ((body: number) => boolean) | null, act: (at: Vector3, radius: number) => void): void {
    const at = new Vector3();
    const turn = new Quaternion();
    const { x, r } = frame;
    for (let i = 0; i < this.body.length; ++i) {
      const b = this.body[i];
      if (of !== null && !of(b)) continue;
      at.fromArray(this.point, 3 * i).applyQuaternion(turn.fromArray(r, 4 * b));
      at.x += x[3 * b];
      at.y += x[3 * b + 1];
      at.z += x[3 * b + 2];
      act(at, this.radius[i]);
    }
  }

  // All bodies but the few that went farthest from the middle of the crowd.
  crowd(frame: Frame): (body: number) => boolean {
    const bodies: number[] = [];
    for (let b = 0; b < this.reach.length; ++b) if (this.reach[b] > 0) bodies.push(b);
    const middle = [0, 1, 2].map((c) => {
      const places = bodies.map((b) => frame.x[3 * b + c]).sort((p, q) => p - q);
      return places[Math.floor(places.length / 2)] ?? 0;
    });
    const far = (b: number): number => Math.hypot(...middle.map((m, c) => frame.x[3 * b + c] - m));
    const strays = new Set(bodies.sort((a, b) => far(b) - far(a)).slice(0, Math.floor(0.02 * bodies.length)));
    return (body) => !strays.has(body);
  }

  // A box around all bounded bodies, quick and a little too large.
  around(frame: Frame, box = new Box3()): Box3 {
    box.makeEmpty();
    const { x } = frame;
    const { min, max } = box;
    for (let b = 0; b < this.reach.length; ++b) {
      const far = this.reach[b];
      if (far === 0) continue;
      min.x = Math.min(min.x, x[3 * b] - far);
      max.x = Math.max(max.x, x[3 * b] + far);
      min.y = Math.min(min.y, x[3 * b + 1] - far);
      max.y = Math.max(max.y, x[3 * b + 1] + far);
      min.z = Math.min(min.z, x[3 * b + 2] - far);
      max.z = Math.max(max.z, x[3 * b + 2] + far);
    }
    return box;
  }
}
