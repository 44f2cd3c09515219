// Where the viewer stands. Space: perspective, z up, the pointer turns; plane: parallel, the pointer shifts.
import { Box2, Matrix4, MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector2, Vector3 } from "three";
import type { Sphere } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Frame } from "../data/types";
import type { Extent } from "./extent";

const margin = 0.9; // part of the canvas that a fitted scene takes
const dying = 60; // [ms] in which motion falls to a third after the pointer lets go
const opening = 35; // [degrees] upwards

// Bodies where they were in a frame; `of` null: all of them.
export interface Place {
  frame: Frame;
  of: ((body: number) => boolean) | null;
}

export class Viewpoint {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  fitted = false; // nobody has moved since the scene was fitted
  private width = 1; // [CSS px]
  private height = 1;
  private updated = 0; // [ms]

  constructor(canvas: HTMLCanvasElement, planar: boolean, changed: () => void) {
    if (planar) {
      this.camera = new OrthographicCamera(-1, 1, 1, -1, 0, 20);
      this.camera.position.set(0, 0, 10);
    } else {
      this.camera = new PerspectiveCamera(opening, 1, 0.1, 100);
      this.camera.up.set(0, 0, 1);
      this.camera.position.set(3, -5, 3);
    }
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.enableDamping = !planar;
    if (planar) this.keepFlat();
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.fitted = false));
    this.controls.update();
  }

  private keepFlat(): void {
    this.controls.enableRotate = false;
    this.controls.screenSpacePanning = true;
    this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
  }

  // Before each picture. Motion dies out in a time, not in a number of pictures, or slow machines would lag behind.
  update(): void {
    const now = performance.now();
    this.controls.dampingFactor = 1 - Math.exp(-(now - this.updated) / dying);
    this.updated = now;
    this.controls.update();
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    const { camera } = this;
    if (camera instanceof PerspectiveCamera) camera.aspect = width / height;
    else [camera.left, camera.right, camera.top, camera.bottom] = [-width / 2, width / 2, height / 2, -height / 2];
    camera.updateProjectionMatrix();
  }

  private get slope(): number {
    return Math.tan((opening * Math.PI) / 360);
  }

  private get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  // At the centre of view. In the plane the camera's zoom is just that: its window is counted in pixels.
  pixelsPerMetre(): number {
    if (this.camera instanceof OrthographicCamera) return this.camera.zoom;
    return this.height / (2 * this.slope * this.distance);
  }

  // [m] a CSS pixel: at distance 1 in perspective, anywhere in parallel projection.
  pixel(): number {
    if (this.camera instanceof OrthographicCamera) return 1 / this.camera.zoom;
    return (2 * this.slope) / this.height;
  }

  // Direction stays, place and distance are those at which everything just fits: each point must lie inside the four
  // sides of the view's pyramid, |x - cx| <= s (cz - z), which gives cx and cz by the extremes of +-x + s z.
  fit(extent: Extent, places: readonly Place[], share = margin): void {
    const axes = new Matrix4().extractRotation(this.camera.matrixWorld).transpose();
    const sx = this.slope * share * (this.width / this.height);
    const sy = this.slope * share;
    const [gx, gy] = [Math.hypot(1, sx), Math.hypot(1, sy)];
    const parallel = this.camera instanceof OrthographicCamera;
    let [right, left, top, bottom, front, back] = Array<number>(6).fill(-Infinity);
    const include = (at: Vector3, r: number): void => {
      const p = at.applyMatrix4(axes);
      const [tx, ty] = parallel ? [0, 0] : [sx * p.z, sy * p.z];
      const [rx, ry] = parallel ? [r, r] : [r * gx, r * gy];
      right = Math.max(right, p.x + tx + rx);
      left = Math.max(left, -p.x + tx + rx);
      top = Math.max(top, p.y + ty + ry);
      bottom = Math.max(bottom, -p.y + ty + ry);
      front = Math.max(front, p.z + r);
      back = Math.max(back, -p.z + r);
    };
    for (const { frame, of } of places) extent.each(frame, of, include);
    if (!Number.isFinite(right + left + top + bottom)) return;
    const centre = new Vector3((right - left) / 2, (top - bottom) / 2, (front - back) / 2);
    const back_ = new Matrix4().extractRotation(this.camera.matrixWorld);
    if (this.camera instanceof OrthographicCamera) {
      const zoom = share * Math.min(this.width / (right + left || 1e-9), this.height / (top + bottom || 1e-9));
      this.place(centre.setZ(0), 10);
      this.camera.zoom = zoom;
      this.camera.updateProjectionMatrix();
    } else {
      const z = Math.max((right + left) / (2 * sx), (top + bottom) / (2 * sy), front + 1e-6);
      const away = Math.max(z - centre.z, 1e-6);
      this.place(centre.applyMatrix4(back_), away);
    }
    this.fitted = share === margin;
  }

  private place(target: Vector3, away: number): void {
    const back = new Vector3(0, 0, 1).transformDirection(this.camera.matrixWorld);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(back, away);
    this.controls.update();
    this.camera.updateMatrixWorld();
  }

  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
    this.camera.updateMatrixWorld();
  }

  setDirection(azimuth: number, elevation: number): void {
    if (this.camera instanceof OrthographicCamera) return;
    const a = (azimuth * Math.PI) / 180;
    const e = (Math.min(Math.max(elevation, -89.9), 89.9) * Math.PI) / 180;
    const away = this.distance;
    const to = new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    this.camera.position.copy(this.controls.target).addScaledVector(to, away);
    this.controls.update();
    this.camera.updateMatrixWorld();
  }

  // Depth resolves best when its range is no larger than what there is to see.
  setRange(scene: Sphere): void {
    if (this.camera instanceof OrthographicCamera) return;
    const off = this.camera.position.distanceTo(scene.center);
    this.camera.near = Math.max(0.02 * this.distance, 0.5 * (off - scene.radius), 1e-4 * scene.radius);
    this.camera.far = Math.max(off + 5 * scene.radius, 2 * this.camera.near);
    this.camera.updateProjectionMatrix();
  }

  project(point: Vector3): { x: number; y: number; visible: boolean } {
    const p = point.project(this.camera);
    const x = (0.5 + 0.5 * p.x) * this.width;
    const y = (0.5 - 0.5 * p.y) * this.height;
    const visible = Math.abs(p.z) <= 1 && x >= 0 && y >= 0 && x <= this.width && y <= this.height;
    return { x, y, visible };
  }

  // The part of the canvas [CSS px, y up] that a ball in the world takes; all of it where the eye is too near.
  window(centre: Vector3, radius: number): Box2 {
    const whole = new Box2(new Vector2(0, 0), new Vector2(this.width, this.height));
    const p = centre.clone().applyMatrix4(this.camera.matrixWorldInverse);
    const parallel = this.camera instanceof OrthographicCamera;
    if (!parallel && -p.z < 1.5 * radius) return whole;
    const scale = 1 / (this.pixel() * (parallel ? 1 : -p.z));
    const reach = radius * scale * (parallel ? 1 : 2);
    const on = this.project(centre.clone());
    const at = new Vector2(on.x, this.height - on.y);
    return new Box2(at.clone().subScalar(reach), at.clone().addScalar(reach)).intersect(whole);
  }

  ray(x: number, y: number): { from: Vector3; along: Vector3 } {
    const at = new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5).unproject(this.camera);
    if (this.camera instanceof OrthographicCamera) return { from: at.setZ(0), along: new Vector3(0, 0, -1) };
    const from = this.camera.position.clone();
    return { from, along: at.sub(from).normalize() };
  }
}
