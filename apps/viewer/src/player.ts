// Playing: simulated time follows the clock on the wall, but never runs ahead of the frames that have come.
import type { Model } from "./model";
import type { Store } from "./state";

const displayRate = 60; // [1/s] more frames than this are not worth showing
const readAhead = 0.5; // [s] of play
const mostAhead = 12; // frames

export class Player {
  private advancing = false;
  private time = 0; // [s] simulated
  private before = 0; // [ms] on the wall

  constructor(
    private readonly store: Store,
    private readonly model: Model,
  ) {
    store.on(["playing", "speed"], () => this.plan());
    store.on(["playing"], (state) => {
      if (state.playing) this.start();
    });
    // Somebody moved the cursor while it plays: go on from there.
    store.on(["frame"], (state) => {
      const elsewhere = !this.advancing && this.model.frameAt(this.time) !== state.frame;
      if (state.playing && elsewhere) this.time = this.timeOf(state.frame);
    });
  }

  private timeOf(frame: number): number {
    return this.model.timeline.time[frame] ?? 0;
  }

  private plan(): void {
    const { playing, speed } = this.store.state;
    const { model } = this;
    const perSecond = model.spacing > 0 ? speed / model.spacing : 1;
    model.stride = playing ? Math.max(1, Math.round(perSecond / displayRate)) : 1;
    const needed = Math.ceil((readAhead * perSecond) / model.stride);
    model.ahead = playing ? Math.min(mostAhead, Math.max(2, needed)) : 2;
    if (playing) model.direction = 1;
  }

  private start(): void {
    const { frame } = this.store.state;
    if (frame >= this.model.last && this.model.timeline.finished) this.store.set({ frame: 0 });
    this.time = this.timeOf(this.store.state.frame);
    this.before = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const { playing, speed } = this.store.state;
    if (!playing) return;
    const passed = Math.min((now - this.before) / 1000, 0.25); // a page in the background does not leap
    this.before = now;
    if (!this.model.waiting) this.advance(Math.max(passed, 0) * speed);
    requestAnimationFrame((next) => this.tick(next));
  }

  private advance(passed: number): void {
    const { model } = this;
    this.time += passed;
    const end = this.timeOf(model.last);
    if (this.time >= end) return this.arrive(end);
    const raw = model.frameAt(this.time);
    const frame = raw - (raw % model.stride); // always the same frames, so that reading ahead finds them
    if (frame > this.store.state.frame) this.move(frame);
  }

  private move(frame: number): void {
    this.advancing = true;
    this.store.set({ frame });
    this.advancing = false;
  }

  private arrive(end: number): void {
    const { model, store } = this;
    const atLast = store.state.frame === model.last;
    this.time = end;
    if (!atLast) return this.move(model.last);
    if (!model.timeline.finished && model.source.live) return; // more will come
    if (!store.state.loop) return store.set({ playing: false });
    this.time = this.timeOf(0);
    this.move(0);
  }
}
