// Tells the picture what the state and the shown frame ask for.
import { contactsOn, isQuantity, length, normalForces, ScaleTop } from "./data/derived";
import type { Contacts, Path } from "./data/types";
import type { Model, Shown } from "./model";
import type { Picture } from "./render/contract";
import type { State, Store } from "./state";
import { Colourist, type Colours } from "./ui/colouring";
import { roundUp } from "./ui/ticks";

const pathPoints = 2000;
const longestArrow = 1.6; // [size] for the usual largest force

export class Scene {
  colours: Colours | null = null;
  reference = 1; // [N] drawn with the standard width
  loaded = false; // a force has been seen, so that the reference means something
  onColours: (() => void)[] = []; // the legend may say something else
  onForces: (() => void)[] = [];
  private readonly colourist: Colourist;
  arrowReference = 1; // [N] of an arrow as long as the largest body reaches
  private readonly forceTop = new ScaleTop(0.9, 0.5); // impacts of a few frames do not make all other chains thin
  private arrowTop = new ScaleTop(1, 0.5); // of the chosen body alone
  private path: Path | null = null;
  private pathOf: number | null = null;
  private pathFrames = 0;

  constructor(
    private readonly store: Store,
    private readonly model: Model,
    private readonly picture: Picture,
  ) {
    this.colourist = new Colourist(model);
    picture.setCast(model.cast);
    this.look();
    model.onShown.push((shown) => this.show(shown));
    model.onTimeline.push(() => void this.trail());
    store.on(["bodies", "edges", "grid", "theme"], () => this.look());
    store.on(["colour", "colourMax", "theme"], () => this.colour());
    store.on(["selected"], () => {
      this.arrowTop = new ScaleTop(1, 0.5);
    });
    store.on(["forces", "forceColour", "forceScale", "ranges", "arrows", "selected"], () => this.forces());
    store.on(["selected", "follow"], (state) => this.choose(state));
    store.on(["selected", "trail"], () => void this.trail());
    this.choose(store.state);
  }

  private show(shown: Shown): void {
    this.picture.setFrame(shown.frame);
    if (!this.colours || isQuantity(this.store.state.colour)) this.colour(); // the others do not change with time
    this.forces();
    void this.trail();
  }

  private look(): void {
    const { bodies, edges, grid, theme } = this.store.state;
    this.picture.setLook({ bodies, edges, grid, theme });
  }

  private colour(): void {
    if (!this.model.shown) return;
    this.colours = this.colourist.colours(this.store.state, this.model.shown);
    this.picture.setColours(this.colours);
    for (const act of this.onColours) act();
  }

  private forces(): void {
    const { forces, forceColour, forceScale, ranges, arrows, selected } = this.store.state;
    const contacts = this.model.shown?.contacts ?? null;
    if (contacts) this.measure(contacts, selected);
    this.picture.setForces(forces ? contacts : null, this.reference, forceScale, forceColour);
    this.picture.setRanges(ranges ? this.model.rangesHere : null);
    this.picture.setArrows(arrows ? contacts : null, arrows ? selected : null, this.arrowReference);
    for (const act of [...this.onForces, ...this.onColours]) act();
  }

  private measure(contacts: Contacts, selected: number | null): void {
    this.forceTop.see(contacts.k, normalForces(contacts));
    this.loaded = this.forceTop.value > 0;
    this.reference = this.loaded ? roundUp(this.forceTop.value) : 1;
    if (selected === null) return;
    this.arrowTop.see(contacts.k, contactsOn(contacts, selected).map((c) => length(c.force)));
    this.arrowReference = this.arrowTop.value > 0 ? this.arrowTop.value / longestArrow : this.reference;
  }

  private choose(state: Readonly<State>): void {
    this.picture.setSelected(state.selected);
    this.picture.setFollow(state.follow ? state.selected : null);
  }

  // Paths are asked for when they are first shown, and again when the run has grown.
  private async trail(): Promise<void> {
    const { trail, selected } = this.store.state;
    const upTo = this.model.shown?.frame.k ?? 0;
    if (!trail || selected === null) return this.picture.setTrail(null, 0);
    const { frames } = this.model;
    if (this.pathOf !== selected || this.pathFrames < frames) {
      const changed = this.pathOf !== selected;
      this.pathOf = selected;
      this.pathFrames = frames;
      if (changed) this.path = null;
      try {
        const path = await this.model.source.path(selected, pathPoints);
        if (this.pathOf === selected) this.path = path;
      } catch {
        this.pathOf = null; // tried again with the next frame
        return;
      }
      return void this.trail();
    }
    if (this.path) this.picture.setTrail(this.path, upTo);
  }
}
