// Joins state, data, picture and panels.
import type { Cast, Frame, Source } from "./data/types";
import { Model } from "./model";
import { Player } from "./player";
import type { Picture } from "./render/contract";
import { Scene } from "./scene";
import { Store, type State, type Theme } from "./state";
import { readAddress, writeAddress, type Extras } from "./ui/address";
import { bottomBar } from "./ui/bottom_bar";
import { factsOf, type BodyFacts } from "./ui/body_facts";
import { Commands } from "./ui/commands";
import { el, throttled } from "./ui/dom";
import { help } from "./ui/help";
import { Labels } from "./ui/labels";
import { legend } from "./ui/legend";
import { measures } from "./ui/measures";
import { messageOf, Notice } from "./ui/message";
import { pointer } from "./ui/pointer";
import { settings } from "./ui/settings";
import { SidePanel } from "./ui/side_panel";
import { topBar } from "./ui/top_bar";

export type MakePicture = (parent: HTMLElement, dimension: 2 | 3) => Picture;
export type Patch = Partial<State> & Partial<Pick<Extras, "azimuth" | "elevation" | "legend">>;

// For tests and for programs that make pictures.
export interface Automation {
  ready: Promise<void>;
  show(frame: number): Promise<void>; // when it is drawn, with the contacts that are wanted
  set(patch: Patch): void;
  state(): Readonly<State>;
  body(b: number): BodyFacts | null;
  shown(): { frame: number; t: number };
  // Of the forces that rigidity leaves open; null: nobody has given them.
  ranges(): { frame: number; t: number; bars: number; idle: number } | null;
  bytes(): number;
  fit(): void;
}

const dark = (): MediaQueryList => window.matchMedia("(prefers-color-scheme: dark)");
const systemTheme = (): Theme => (dark().matches ? "dark" : "light");

// What the address says may not fit these results.
function fitting(state: Partial<State>, cast: Cast, last: number): Partial<State> {
  const fit = { ...state };
  if (fit.frame !== undefined) fit.frame = Math.min(Math.max(Math.floor(fit.frame), 0), last);
  if (typeof fit.selected === "number" && !(fit.selected < cast.bodies)) fit.selected = null;
  if (!cast.hasContacts) {
    if (fit.forces) fit.forces = false;
    if (fit.colour === "coordination") fit.colour = "none";
  }
  return fit;
}

// Before anything is shown the panel would cover most of a narrow page.
function startState(said: Partial<State>, cast: Cast, last: number): Partial<State> {
  const narrow = window.innerWidth < 900;
  return { theme: systemTheme(), panel: !narrow, ...fitting(said, cast, last) };
}

function followTheme(store: Store, said: boolean): void {
  const dress = (): void => {
    document.documentElement.dataset.theme = store.state.theme;
  };
  store.on(["theme"], dress);
  dress();
  let system = systemTheme();
  dark().addEventListener("change", () => {
    const own = said || store.state.theme !== system;
    system = systemTheme();
    if (!own) store.set({ theme: system });
  });
}

class App implements Automation {
  readonly ready: Promise<void>;
  private readonly root: HTMLElement;
  private readonly notice = new Notice();
  private readonly key: HTMLElement; // the legend: under the settings, or on a bare picture
  private readonly settings: HTMLElement;
  private readonly stage: HTMLElement;

  constructor(
    private readonly store: Store,
    private readonly model: Model,
    private readonly picture: Picture,
    stage: HTMLElement,
    extras: Extras,
  ) {
    const { cast } = model;
    const scene = new Scene(store, model, picture);
    const commands = new Commands(store, model, picture);
    const card = settings(store, model, commands);
    const labels = new Labels(store, model, scene, picture);
    stage.append(
      measures(store, cast, picture),
      labels.element,
      pointer(store, model, picture),
      this.notice.element,
    );
    this.key = legend(store, model, scene, picture);
    this.stage = stage;
    this.settings = card;
    const panel = new SidePanel(store, model, extras.tab);
    this.root = el("div", { class: "app" }, topBar(store, model, commands, card), card, stage, panel.element);
    this.root.append(bottomBar(store, model, commands), help(store, commands));
    commands.bindKeys(document);
    new Player(store, model);
    this.dress(extras.legend);
    store.on(["ui", "panel"], () => this.dress());
    new MutationObserver(() => this.dress()).observe(card, { attributeFilter: ["hidden"] });
    this.watchErrors();
    this.ready = this.begin(extras);
  }

  get element(): HTMLElement {
    return this.root;
  }

  async show(frame: number): Promise<void> {
    if (!(Number.isInteger(frame) && frame >= 0 && frame < this.model.frames)) {
      throw new RangeError(`frame ${frame} is out of range: there are ${this.model.frames}`);
    }
    this.store.set({ playing: false, frame });
    await this.model.settled(frame);
    await this.picture.drawn();
  }

  set(patch: Patch): void {
    const { azimuth, elevation, legend: shown, ...state } = patch;
    this.store.set(fitting(state, this.model.cast, this.model.last));
    if (typeof azimuth === "number" && typeof elevation === "number") this.picture.setDirection(azimuth, elevation);
    if (shown !== undefined) this.dress(shown);
  }

  state(): Readonly<State> {
    return this.store.state;
  }

  body(b: number): BodyFacts | null {
    return factsOf(this.model, b);
  }

  shown(): { frame: number; t: number } {
    const frame = this.model.shown?.frame;
    return { frame: frame?.k ?? -1, t: frame?.t ?? Number.NaN };
  }

  ranges(): ReturnType<Automation["ranges"]> {
    const { ranges } = this.model;
    return ranges && { frame: ranges.k, t: ranges.t, ...this.picture.rangesDrawn() };
  }

  bytes(): number {
    return this.model.source.bytes();
  }

  fit(): void {
    this.picture.fit();
  }

  private async begin(extras: Extras): Promise<void> {
    const { model, picture } = this;
    model.update();
    await model.settled(this.store.state.frame);
    await model.loadFirst();
    const { azimuth, elevation } = extras;
    if (azimuth !== null || elevation !== null) picture.setDirection(azimuth ?? -60, elevation ?? 20);
    picture.fit(await this.ends());
    await picture.drawn();
    void model.watch();
  }

  // The motion begins and ends there: seen from a view that holds both it seldom leaves the picture.
  private async ends(): Promise<Frame[]> {
    const { first, last, cache } = this.model;
    const end = await cache.getFrame(last);
    return first ? [first, end] : [end];
  }

  private dress(legendShown?: boolean): void {
    const { ui, panel } = this.store.state;
    this.root.toggleAttribute("data-bare", !ui);
    (ui && !this.settings.hasAttribute("hidden") ? this.settings : this.stage).append(this.key);
    this.root.toggleAttribute("data-panel", panel && ui);
    if (legendShown !== undefined) this.root.toggleAttribute("data-legend", legendShown);
    requestAnimationFrame(() => this.picture.resize());
  }

  private watchErrors(): void {
    this.model.onError.push((error) => {
      this.store.set({ playing: false });
      this.notice.show(messageOf(error));
    });
    this.model.onShown.push(() => this.notice.hide());
    this.model.onTimeline.push(() => this.notice.hide());
  }
}

function keepAddress(store: Store): void {
  const write = throttled(() => {
    if (store.state.playing || !store.state.ui) return;
    const said = writeAddress(store.state, systemTheme());
    history.replaceState(null, "", said === "" ? location.pathname + location.search : `#${said}`);
  }, 400);
  store.on(null, write);
}

export async function startApp(root: HTMLElement, source: Source, makePicture: MakePicture): Promise<Automation> {
  const [cast, timeline, ranges] = await Promise.all([source.cast(), source.timeline(0), source.ranges()]);
  if (timeline.frames === 0) throw new Error("These results hold no frame yet. Reload the page in a moment.");
  const said = readAddress(location.hash);
  const store = new Store(startState(said.state, cast, timeline.frames - 1));
  const model = new Model(source, store, cast, timeline, ranges);
  document.title = `${cast.title || cast.scene || "Results"} · Cairn`;
  followTheme(store, said.state.theme !== undefined);
  const host = el("div", { class: "picture" });
  const stage = el("main", { class: "stage" }, host);
  // The picture measures its place: it must be in the page.
  root.replaceChildren(el("div", { class: "app" }, stage));
  const picture = makePicture(host, cast.dimension);
  const app = new App(store, model, picture, stage, said.extras);
  root.replaceChildren(app.element);
  picture.resize();
  window.addEventListener("hashchange", () => {
    const { state, extras } = readAddress(location.hash);
    app.set({ ...state, azimuth: extras.azimuth, elevation: extras.elevation });
  });
  keepAddress(store);
  return app;
}
