// What is known of the result and which frame is shown. Loads what the state asks for; panels and picture listen.
import { FrameCache, type Wanted } from "./data/cache";
import type { Cast, Contacts, ForceRanges, Frame, Source, Timeline } from "./data/types";
import type { State, Store } from "./state";

export interface Shown {
  frame: Frame;
  contacts: Contacts | null; // where something shows them
}

interface Waiter {
  frame: number;
  good: () => void;
  bad: (error: unknown) => void;
}

const pollInterval = 700; // [ms]
const newer = (old: Float64Array, from: number, tail: Float64Array): Float64Array => {
  const joined = new Float64Array(from + tail.length);
  joined.set(old.subarray(0, from));
  joined.set(tail, from);
  return joined;
};

export class Model {
  readonly cache: FrameCache;
  shown: Shown | null = null;
  first: Frame | null = null; // frame 0: displacements are counted from it
  direction: 1 | -1 = 1; // of the last move
  stride = 1; // frames between two that are shown while playing
  ahead = 2; // frames worth reading in advance
  onShown: ((shown: Shown) => void)[] = [];
  onTimeline: ((timeline: Timeline) => void)[] = [];
  onError: ((error: unknown) => void)[] = [];
  private following = false;
  private waiters: Waiter[] = [];

  constructor(
    readonly source: Source,
    readonly store: Store,
    readonly cast: Cast,
    public timeline: Timeline,
    readonly ranges: ForceRanges | null = null,
  ) {
    this.cache = new FrameCache(source);
    store.on(["frame", "forces", "selected", "colour"], (state, changed) => {
      if (changed.has("frame") && this.shown) this.direction = state.frame < this.shown.frame.k ? -1 : 1;
      this.update();
    });
  }

  get frames(): number {
    return this.timeline.frames;
  }

  get last(): number {
    return Math.max(this.frames - 1, 0);
  }

  // The last frame at that time or before it.
  frameAt(t: number): number {
    const { time } = this.timeline;
    let low = 0;
    let high = this.last;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (time[middle] <= t + 1e-12 * Math.abs(t)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // What forces may be, where that is known of the frame that is shown.
  get rangesHere(): ForceRanges | null {
    return this.ranges && this.shown?.frame.k === this.ranges.k ? this.ranges : null;
  }

  // [s] between frames, on the average.
  get spacing(): number {
    const { time } = this.timeline;
    return this.frames > 1 ? (time[this.last] - time[0]) / this.last : 0;
  }

  wantsContacts(state: Readonly<State> = this.store.state): boolean {
    return this.cast.hasContacts && (state.forces || state.selected !== null || state.colour === "coordination");
  }

  // Shows what is here already at once; asks for the rest.
  update(): void {
    const k = this.store.state.frame;
    const frame = this.cache.frame(k);
    const contacts = this.wantsContacts() ? this.cache.contacts(k) : null;
    if (frame && contacts !== undefined) this.put(frame, contacts);
    this.cache.prefetch(this.plan());
    void this.follow();
  }

  get waiting(): boolean {
    return this.stale();
  }

  // When that frame is shown, with the contacts that are wanted.
  settled(frame: number): Promise<void> {
    if (this.store.state.frame === frame && !this.stale()) return Promise.resolve();
    return new Promise((good, bad) => this.waiters.push({ frame, good, bad }));
  }

  private stale(): boolean {
    const { shown } = this;
    return !shown || shown.frame.k !== this.store.state.frame || (this.wantsContacts() && !shown.contacts);
  }

  private plan(): Wanted[] {
    const k = this.store.state.frame;
    const list: Wanted[] = [];
    for (let i = 0; i <= this.ahead; ++i) {
      const next = Math.min(k + i * this.stride * this.direction, this.last);
      if (next < 0) break;
      list.push({ kind: "frame", k: next });
      if (this.wantsContacts()) list.push({ kind: "contacts", k: next });
    }
    return list;
  }

  // One frame at a time is waited for, to its end: so a quick hand on the scrubber still sees frames go by.
  private async follow(): Promise<void> {
    if (this.following) return;
    this.following = true;
    try {
      while (this.stale()) {
        const k = this.store.state.frame;
        const contacts = this.wantsContacts() ? this.cache.getContacts(k) : Promise.resolve(null);
        const [frame, found] = await Promise.all([this.cache.getFrame(k), contacts]);
        this.put(frame, found);
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.following = false;
    }
  }

  private put(frame: Frame, contacts: Contacts | null): void {
    if (frame.k === 0) this.first = frame;
    if (this.shown?.frame === frame && this.shown.contacts === contacts) return;
    this.shown = { frame, contacts };
    for (const act of this.onShown) act(this.shown);
    if (this.stale()) return;
    const ready = this.waiters.filter((w) => w.frame === frame.k);
    this.waiters = this.waiters.filter((w) => w.frame !== frame.k);
    for (const waiter of ready) waiter.good();
  }

  private fail(error: unknown): void {
    for (const waiter of this.waiters.splice(0)) waiter.bad(error);
    for (const act of this.onError) act(error);
  }

  // Displacements need frame 0 whatever is shown first.
  async loadFirst(): Promise<void> {
    this.first = await this.source.frame(0);
    if (this.shown) for (const act of this.onShown) act(this.shown);
  }

  // Until the run has ended, looks for new frames.
  async watch(): Promise<void> {
    while (this.source.live && !this.timeline.finished) {
      await new Promise((done) => setTimeout(done, pollInterval));
      try {
        this.extend(await this.source.timeline(this.timeline.time.length));
      } catch (error) {
        this.fail(error);
        await new Promise((done) => setTimeout(done, 5 * pollInterval));
      }
    }
  }

  private extend(tail: Timeline): void {
    const from = this.timeline.time.length;
    if (tail.frames < from) {
      throw new Error("These results were begun again by another run. Reload the page to see them.");
    }
    const atEnd = this.store.state.frame === this.last;
    const grown = tail.frames > this.frames;
    this.timeline = {
      ...tail,
      time: newer(this.timeline.time, from, tail.time),
      h: newer(this.timeline.h, from, tail.h),
      step: newer(this.timeline.step, from, tail.step),
    };
    for (const act of this.onTimeline) act(this.timeline);
    if (grown && atEnd && !this.store.state.playing) this.store.set({ frame: this.last });
  }
}
