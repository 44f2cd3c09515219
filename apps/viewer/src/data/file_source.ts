// Results that are inside the page (`cairn export --html`): groups of frames are unpacked when they are asked for.
import { blobsOf, fromBase64, inflate, type Texts } from "./blobs";
import { DataError, parseBundle } from "./bundle";
import { castOf, rangesOf, stepsOf, timelineOf } from "./cast";
import { columnsOf, placesOf, type Columns, type Encoding } from "./packed_bodies";
import { contactFrames } from "./packed_contacts";
import type { Cast, Contacts, ForceRanges, Frame, Path, Source, Steps, Timeline } from "./types";

const keptGroups = 4; // of each kind: what is played, and what was looked at just before

// The last few values made; one that is being made is not made twice.
class Recent<T> {
  private readonly kept = new Map<number, Promise<T>>();

  constructor(private readonly make: (k: number) => Promise<T>) {}

  get(k: number): Promise<T> {
    const value = this.kept.get(k) ?? this.make(k);
    this.kept.delete(k);
    this.kept.set(k, value);
    value.catch(() => this.kept.delete(k));
    for (const old of this.kept.keys()) if (this.kept.size > keptGroups) this.kept.delete(old);
    return value;
  }
}

interface Opening {
  encoding: Encoding;
  timeline: Timeline;
  first: Columns;
}

export class FileSource implements Source {
  readonly live = false;
  private read = 0;
  private opening: Promise<Opening> | null = null;
  private readonly bodyGroups = new Recent<Columns>((g) => this.bodyGroup(g));
  private readonly contactGroups = new Recent<Contacts[]>((g) => this.contactGroup(g));

  constructor(private readonly texts: Texts) {}

  bytes(): number {
    return this.read;
  }

  async cast(): Promise<Cast> {
    return castOf(parseBundle(await this.blob("cast"), "cast"));
  }

  async timeline(from: number): Promise<Timeline> {
    const { timeline: all } = await this.open();
    return { ...all, time: all.time.subarray(from), h: all.h.subarray(from), step: all.step.subarray(from) };
  }

  async steps(_points: number): Promise<Steps> {
    return stepsOf(parseBundle(await this.blob("steps"), "steps"));
  }

  async frame(k: number, signal?: AbortSignal): Promise<Frame> {
    const { encoding, timeline } = await this.open();
    this.check(k, encoding);
    const columns = await this.bodyGroups.get(Math.floor(k / encoding.group));
    signal?.throwIfAborted();
    const places = placesOf(columns, k % encoding.group, encoding);
    return { k, t: timeline.time[k], h: timeline.h[k], step: timeline.step[k], ...places };
  }

  async contacts(k: number, signal?: AbortSignal): Promise<Contacts> {
    const { encoding, timeline } = await this.open();
    this.check(k, encoding);
    const frames = await this.contactGroups.get(Math.floor(k / encoding.group));
    signal?.throwIfAborted();
    return { ...frames[k % encoding.group], k, h: timeline.h[k] };
  }

  // Group after group, so that no more than one beside the recent ones is in memory.
  async path(body: number, points: number): Promise<Path> {
    const { encoding: e } = await this.open();
    if (!(body >= 0 && body < e.bodies)) throw new DataError(`body ${body} does not exist, there are ${e.bodies}`);
    const count = Math.min(e.frames, Math.max(2, points));
    const k = Int32Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (e.frames - 1)) / (count - 1)) : 0));
    const x = new Float32Array(3 * count);
    let group = -1;
    let columns: Columns = [];
    for (let i = 0; i < count; ++i) {
      const g = Math.floor(k[i] / e.group);
      if (g !== group) columns = await this.bodyGroup(g, e.dimension);
      group = g;
      for (let c = 0; c < e.dimension; ++c) x[3 * i + c] = columns[c][(k[i] % e.group) * e.bodies + body] * e.place;
    }
    return { body, k, x };
  }

  async ranges(): Promise<ForceRanges | null> {
    return this.texts.has("forces") ? rangesOf(parseBundle(await this.blob("forces"), "forces")) : null;
  }

  private open(): Promise<Opening> {
    this.opening ??= this.readOpening();
    return this.opening;
  }

  private async readOpening(): Promise<Opening> {
    const fields = parseBundle(await this.blob("encoding"), "encoding");
    const dimension = fields.number("dimension");
    if (fields.count("version") !== 1 || (dimension !== 2 && dimension !== 3)) {
      throw new DataError("encoding: this page is of another version than its data");
    }
    const encoding: Encoding = {
      dimension,
      bodies: fields.count("bodies"),
      frames: fields.count("frames"),
      group: Math.max(1, fields.count("group")),
      place: fields.number("place"),
      turn: fields.number("turn"),
    };
    const timeline = timelineOf(parseBundle(await this.blob("timeline"), "timeline"));
    if (timeline.time.length !== encoding.frames) throw new DataError("timeline: not as many times as frames");
    return { encoding, timeline, first: columnsOf(await this.blob("first"), { frames: 1, first: null }, encoding, "first") };
  }

  private check(k: number, e: Encoding): void {
    if (!(k >= 0 && k < e.frames)) throw new DataError(`frame ${k} does not exist, there are ${e.frames}`);
  }

  private framesIn(g: number, e: Encoding): number {
    return Math.min(e.group, e.frames - g * e.group);
  }

  private async bodyGroup(g: number, components?: number): Promise<Columns> {
    const { encoding, first } = await this.open();
    const what = `frames/${g}`;
    return columnsOf(await this.blob(what), { frames: this.framesIn(g, encoding), first, components }, encoding, what);
  }

  private async contactGroup(g: number): Promise<Contacts[]> {
    const { encoding } = await this.open();
    const what = `contacts/${g}`;
    if (!this.texts.has(what)) throw new DataError("this page was made without contacts");
    return contactFrames(await this.blob(what), this.framesIn(g, encoding), encoding, what);
  }

  private async blob(name: string): Promise<ArrayBuffer> {
    const text = this.texts.text(name);
    if (text === null) throw new DataError(`${name}: missing in this page`);
    this.read += text.length;
    return inflate(fromBase64(text, name), name);
  }
}

// Null: the page holds no results.
export function fileSource(page: Document): FileSource | null {
  const blobs = blobsOf(page);
  return blobs && new FileSource(blobs);
}
