// Frames and contacts that were read, least recently used ones dropped first; what is to be read next, a few at a time.
import type { Contacts, Frame, Source } from "./types";

export type Kind = "frame" | "contacts";

export interface Wanted {
  kind: Kind;
  k: number;
}

interface Request {
  key: string;
  wanted: Wanted;
  abort: AbortController;
  started: boolean;
  waiting: number; // how many callers of get() wait for it: such a request is never aborted
  promise: Promise<Frame | Contacts>;
  settle: { good: (value: Frame | Contacts) => void; bad: (error: unknown) => void };
}

export interface CacheOptions {
  bytes?: number;
  requests?: number;
}

const keyOf = (wanted: Wanted): string => `${wanted.kind}/${wanted.k}`;

// Several arrays may be views into the same bytes.
export function bytesOf(value: Frame | Contacts): number {
  const buffers = new Set<ArrayBufferLike>();
  for (const field of Object.values(value)) if (ArrayBuffer.isView(field)) buffers.add(field.buffer);
  let sum = 0;
  for (const buffer of buffers) sum += buffer.byteLength;
  return sum;
}

export class FrameCache {
  private readonly limit: number;
  private readonly atOnce: number;
  private readonly kept = new Map<string, Frame | Contacts>(); // in the order of last use
  private readonly requests = new Map<string, Request>();
  private plan: Wanted[] = [];
  private size = 0;

  constructor(
    private readonly source: Pick<Source, "frame" | "contacts">,
    options: CacheOptions = {},
  ) {
    this.limit = options.bytes ?? 256e6;
    this.atOnce = options.requests ?? 4;
  }

  get byteLength(): number {
    return this.size;
  }

  // What is here already.
  frame(k: number): Frame | undefined {
    return this.touch(keyOf({ kind: "frame", k })) as Frame | undefined;
  }

  contacts(k: number): Contacts | undefined {
    return this.touch(keyOf({ kind: "contacts", k })) as Contacts | undefined;
  }

  getFrame(k: number): Promise<Frame> {
    return this.get({ kind: "frame", k }) as Promise<Frame>;
  }

  getContacts(k: number): Promise<Contacts> {
    return this.get({ kind: "contacts", k }) as Promise<Contacts>;
  }

  // What will be wanted soon, the most urgent first. Requests for anything else that nobody waits for are aborted.
  prefetch(wanted: Wanted[]): void {
    const keys = new Set(wanted.map(keyOf));
    for (const request of [...this.requests.values()]) {
      if (request.waiting === 0 && !keys.has(request.key)) this.drop(request);
    }
    this.plan = wanted.filter((w) => !this.kept.has(keyOf(w)));
    this.pump();
  }

  private async get(wanted: Wanted): Promise<Frame | Contacts> {
    const here = this.touch(keyOf(wanted));
    if (here) return here;
    const request = this.requests.get(keyOf(wanted)) ?? this.ask(wanted);
    ++request.waiting;
    this.pump();
    try {
      return await request.promise;
    } finally {
      --request.waiting;
    }
  }

  private ask(wanted: Wanted): Request {
    let settle: Request["settle"] | undefined;
    const promise = new Promise<Frame | Contacts>((good, bad) => {
      settle = { good, bad };
    });
    promise.catch(() => undefined); // an aborted prefetch has nobody to tell
    const key = keyOf(wanted);
    const request: Request = {
      key,
      wanted,
      abort: new AbortController(),
      started: false,
      waiting: 0,
      promise,
      settle: settle as Request["settle"],
    };
    this.requests.set(key, request);
    return request;
  }

  private drop(request: Request): void {
    this.requests.delete(request.key);
    request.abort.abort();
  }

  private pump(): void {
    for (const wanted of this.plan) {
      const key = keyOf(wanted);
      if (!this.kept.has(key) && !this.requests.has(key)) this.ask(wanted);
    }
    // Those somebody waits for go first.
    const ready = [...this.requests.values()].filter((r) => !r.started).sort((a, b) => b.waiting - a.waiting);
    for (const request of ready) {
      if (this.running() >= this.atOnce) break;
      void this.start(request);
    }
  }

  private running(): number {
    let count = 0;
    for (const request of this.requests.values()) if (request.started) ++count;
    return count;
  }

  private async start(request: Request): Promise<void> {
    request.started = true;
    const { kind, k } = request.wanted;
    try {
      const value = await this.source[kind](k, request.abort.signal);
      if (!request.abort.signal.aborted) this.keep(request.key, value);
      request.settle.good(value);
    } catch (error) {
      request.settle.bad(error);
      this.plan = this.plan.filter((w) => keyOf(w) !== request.key); // what failed is not tried for ever
    }
    if (this.requests.get(request.key) === request) this.requests.delete(request.key);
    this.pump();
  }

  private touch(key: string): Frame | Contacts | undefined {
    const value = this.kept.get(key);
    if (value) {
      this.kept.delete(key);
      this.kept.set(key, value);
    }
    return value;
  }

  // The newest entry stays even where it alone is above the limit.
  private keep(key: string, value: Frame | Contacts): void {
    this.kept.set(key, value);
    this.size += bytesOf(value);
    for (const [oldest, old] of this.kept) {
      if (this.size <= this.limit || oldest === key) break;
      this.kept.delete(oldest);
      this.size -= bytesOf(old);
    }
  }
}
