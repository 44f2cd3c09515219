// Bundles from `cairn view`, by addresses relative to the page's own.
import { DataError, parseBundle, type Bundle } from "./bundle";
import { castOf, contactsOf, frameOf, pathOf, rangesOf, stepsOf, timelineOf } from "./cast";
import type { Cast, Contacts, ForceRanges, Frame, Path, Source, Steps, Timeline } from "./types";

// The server does not answer: its program was ended, or the machine is out of reach.
export class GoneError extends Error {
  override name = "GoneError";
}

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

const pauseBeforeRetry = 250; // [ms]

export class HttpSource implements Source {
  readonly live = true;
  private read = 0;
  private bodies = -1;

  constructor(private readonly get: Fetch = (address, init) => fetch(address, init)) {}

  bytes(): number {
    return this.read;
  }

  async cast(): Promise<Cast> {
    const cast = castOf(await this.bundle("cast"));
    this.bodies = cast.bodies;
    return cast;
  }

  async timeline(from: number): Promise<Timeline> {
    return timelineOf(await this.bundle(`timeline?from=${from}`));
  }

  async frame(k: number, signal?: AbortSignal): Promise<Frame> {
    return frameOf(await this.bundle(`frame/${k}`, signal), this.bodies);
  }

  async contacts(k: number, signal?: AbortSignal): Promise<Contacts> {
    const bundle = await this.bundle(`contacts/${k}`, signal);
    return contactsOf(bundle, this.bodies < 0 ? undefined : this.bodies);
  }

  async steps(points: number): Promise<Steps> {
    return stepsOf(await this.bundle(`steps?points=${points}`));
  }

  async path(body: number, points: number): Promise<Path> {
    return pathOf(await this.bundle(`path/${body}?points=${points}`));
  }

  async ranges(): Promise<ForceRanges | null> {
    return rangesOf(await this.bundle("forces"));
  }

  private async bundle(address: string, signal?: AbortSignal): Promise<Bundle> {
    const bytes = await this.bytesOf(address, signal);
    this.read += bytes.byteLength;
    return parseBundle(bytes, address);
  }

  // One failed connection is tried again: a kept-alive one may just have been closed by the server.
  private async bytesOf(address: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    try {
      return await this.once(address, signal);
    } catch (error) {
      if (error instanceof DataError || signal?.aborted) throw error;
    }
    await new Promise((done) => setTimeout(done, pauseBeforeRetry));
    signal?.throwIfAborted();
    try {
      return await this.once(address, signal);
    } catch (error) {
      if (error instanceof DataError || signal?.aborted) throw error;
      throw new GoneError("The program that serves these results does not answer. Start it again with cairn view.");
    }
  }

  private async once(address: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    const response = await this.get(address, { signal, cache: "no-store", credentials: "omit" });
    if (response.ok) return response.arrayBuffer();
    const reason = (await response.text()).trim().slice(0, 400);
    if (response.status >= 500 && response.status !== 500) throw new Error(reason); // overloaded: worth another try
    throw new DataError(`${address}: ${reason || response.statusText} (HTTP ${response.status})`);
  }
}
