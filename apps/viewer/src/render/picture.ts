// The picture of the scene: keeps what was set, draws when something has changed.
import { Color, LinearSRGBColorSpace, Scene, Vector3, WebGLRenderer, type OrthographicCamera } from "three";
import type { Cast, Contacts, ForceRanges, Frame, Path } from "../data/types";
import type { State } from "../state";
import { Viewpoint } from "./camera";
import { Content } from "./content";
import type { Colouring, Picture } from "./contract";
import { GroundGrid, PlaneGrid, roundSpacing } from "./grid";
import { order } from "./layers";
import { LostNote } from "./lost";
import { Outline } from "./outline";
import { Overlays } from "./overlays";
import { Picker } from "./pick";
import { makeShared, setTheme } from "./shared";

type Look = Parameters<Picture["setLook"]>[0];

class ScenePicture implements Picture {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly shared = makeShared();
  private readonly view: Viewpoint;
  private readonly overlays: Overlays;
  private readonly outline: Outline;
  private readonly picker: Picker;
  private readonly planeGrid: PlaneGrid;
  private readonly groundGrid: GroundGrid;
  private readonly background = new Color();
  private content: Content | null = null;
  private look: Look = { bodies: "solid", edges: true, grid: true, theme: "light" };
  private beside: readonly Frame[] = []; // frames that the view was fitted to as well
  private selected: number | null = null;
  private followed: number | null = null;
  private requested = 0; // number of the animation frame asked for; 0: none
  private waiting: (() => void)[] = [];
  private listeners: (() => void)[] = [];
  private width = 0; // [CSS px]
  private height = 0;

  constructor(private readonly parent: HTMLElement, private readonly planar: boolean) {
    this.renderer = new WebGLRenderer({ antialias: true, stencil: true, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // shaders write sRGB by themselves
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.style.display = "block";
    parent.append(this.canvas);
    this.view = new Viewpoint(this.canvas, planar, () => this.viewChanged());
    this.overlays = new Overlays(this.scene, this.shared, planar);
    this.outline = new Outline(this.shared, planar);
    this.outline.mesh.renderOrder = order.outline;
    this.picker = new Picker(this.shared, planar);
    this.planeGrid = new PlaneGrid(this.shared);
    this.groundGrid = new GroundGrid(this.shared);
    this.scene.add(this.outline.mesh, this.planeGrid.mesh, this.groundGrid.mesh);
    new LostNote(parent, this.canvas, () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
    this.setLook(this.look);
  }

  setCast(cast: Cast): void {
    this.drop();
    const content = new Content(cast, this.shared, this.planar, this.scene);
    const { home } = content;
    this.picker.set(content.layers.pickable);
    this.groundGrid.place(home.center.clone().setZ(cast.bounds[0][2]), 3 * home.radius);
    this.content = content;
    this.setSelected(this.selected);
    this.setLook(this.look);
  }

  private drop(): void {
    if (this.content === null) return;
    this.content.dispose();
    this.overlays.setChains(null);
    this.overlays.setLoads(null);
    this.overlays.setRanges(null);
    this.overlays.setTrail(null, 0);
    this.content = null;
    this.selected = this.followed = null;
  }

  setFrame(frame: Frame): void {
    const { content } = this;
    if (content === null) return;
    const before = content.frame;
    content.setFrame(frame);
    this.overlays.moved();
    if (before === null) this.fit();
    else if (this.followed !== null) this.keepTo(this.followed, before, frame);
    this.invalidate();
  }

  private keepTo(body: number, before: Frame, now: Frame): void {
    const from = new Vector3().fromArray(before.x, 3 * body);
    const by = new Vector3().fromArray(now.x, 3 * body).sub(from);
    if (this.planar) by.setZ(0);
    this.view.shift(by);
  }

  setColours(colouring: Colouring): void {
    this.content?.colours.set(colouring.rgb);
    this.invalidate();
  }

  setForces(contacts: Contacts | null, reference: number, scale: number, colour: State["forceColour"]): void {
    this.overlays.setChains(contacts && { contacts, reference, scale, colour });
    this.invalidate();
  }

  setArrows(contacts: Contacts | null, body: number | null, reference: number): void {
    this.overlays.setLoads(contacts && body !== null ? { contacts, body, reference } : null);
    this.invalidate();
  }

  setRanges(ranges: ForceRanges | null): void {
    this.overlays.setRanges(ranges);
    this.invalidate();
  }

  rangesDrawn(): { bars: number; idle: number } {
    return this.overlays.rangesDrawn;
  }

  setTrail(path: Path | null, upTo: number): void {
    this.overlays.setTrail(path, upTo);
    this.invalidate();
  }

  setSelected(body: number | null): void {
    this.selected = body;
    if (this.content !== null) {
      this.content.colours.select(body);
      this.outline.select(this.content.cast, body);
    }
    this.invalidate();
  }

  setFollow(body: number | null): void {
    this.followed = body;
  }

  setLook(look: Look): void {
    this.look = { ...look };
    setTheme(this.shared, look.theme);
    const { x, y, z } = this.shared.background.value;
    this.background.setRGB(x, y, z, LinearSRGBColorSpace);
    this.content?.layers.show(look.bodies, look.edges);
    this.planeGrid.mesh.visible = look.grid && this.planar;
    this.groundGrid.mesh.visible = look.grid && !this.planar && !(this.content?.planes.level ?? false);
    this.planeGrid.mesh.renderOrder = this.groundGrid.mesh.renderOrder = order.grid;
    this.invalidate();
  }

  setDirection(azimuth: number, elevation: number): void {
    const fitted = this.view.fitted;
    this.view.setDirection(azimuth, elevation);
    this.view.fitted = fitted;
    this.viewChanged();
  }

  fit(beside: readonly Frame[] = []): void {
    this.beside = beside;
    const { content } = this;
    if (content?.frame) {
      const others = beside.map((frame) => ({ frame, of: content.extent.crowd(frame) }));
      this.view.fit(content.extent, [{ frame: content.frame, of: null }, ...others]);
    }
    this.viewChanged();
  }

  zoomTo(body: number): void {
    const { content } = this;
    if (content?.frame) this.view.fit(content.extent, [{ frame: content.frame, of: (b) => b === body }], 0.3);
    this.viewChanged();
  }

  pick(x: number, y: number): number | null {
    const { content } = this;
    if (content === null || content.frame === null || this.width === 0) return null;
    this.setView(content);
    const body = this.picker.pick(this.renderer, this.view.camera, x, y, this.width, this.height);
    if (body !== null) return body;
    const { from, along } = this.view.ray(x, y);
    return content.planes.hit(from, along);
  }

  project(point: [number, number, number]): { x: number; y: number; visible: boolean } {
    return this.view.project(new Vector3(...point));
  }

  onViewChange(act: () => void): void {
    this.listeners.push(act);
  }

  pixelsPerMetre(): number {
    return this.view.pixelsPerMetre();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.parent;
    const density = Math.min(window.devicePixelRatio || 1, 2);
    const same = clientWidth === this.width && clientHeight === this.height && density === this.shared.density.value;
    if (same || clientWidth === 0 || clientHeight === 0) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.renderer.setPixelRatio(density);
    this.renderer.setSize(clientWidth, clientHeight);
    this.shared.density.value = density;
    this.renderer.getDrawingBufferSize(this.shared.resolution.value);
    this.view.resize(clientWidth, clientHeight);
    if (this.view.fitted) this.fit(this.beside);
    this.viewChanged();
    if (this.requested !== 0) this.draw(); // a canvas that changed its size is empty until it is drawn to
  }

  drawn(): Promise<void> {
    if (this.requested === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private viewChanged(): void {
    this.invalidate();
    for (const act of this.listeners) act();
  }

  private invalidate(): void {
    if (this.requested !== 0) return;
    this.requested = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    cancelAnimationFrame(this.requested);
    this.requested = 0;
    this.view.update();
    this.renderer.setRenderTarget(null);
    const { content } = this;
    if (content !== null && content.frame !== null && this.width > 0) {
      this.setView(content);
      this.overlays.prepare(content.cast, content.frame, this.look.bodies);
      this.prepareOutline(content, content.frame);
    }
    this.renderer.setClearColor(this.background, 1);
    this.renderer.clear();
    if (content !== null && content.frame !== null) this.renderer.render(this.scene, this.view.camera);
    const done = this.waiting;
    this.waiting = [];
    for (const resolve of done) resolve();
  }

  // What shaders need to know of where the viewer stands.
  private setView(content: Content): void {
    const { view } = this;
    view.setRange(content.around);
    this.shared.pixel.value = view.pixel() / this.shared.density.value;
    const metres = this.planar ? 1 : roundSpacing(110 / view.pixelsPerMetre());
    content.planes.setGrid(metres, this.look.grid);
    this.groundGrid.spacing = metres;
    if (this.planar) this.planeGrid.follow(view.camera as OrthographicCamera, view.pixelsPerMetre());
  }

  private prepareOutline(content: Content, frame: Frame): void {
    const { selected } = this;
    const centre = new Vector3();
    let reach = 0;
    if (selected !== null && selected < content.cast.bodies) {
      centre.fromArray(frame.x, 3 * selected);
      reach = content.extent.reach[selected];
    }
    const where = this.view.window(centre, reach);
    where.min.multiplyScalar(this.shared.density.value);
    where.max.multiplyScalar(this.shared.density.value);
    this.outline.prepare(this.renderer, this.view.camera, where);
  }
}

// Throws when the browser has no WebGL 2.
export function createPicture(parent: HTMLElement, dimension: 2 | 3): Picture {
  return new ScenePicture(parent, dimension === 2);
}
