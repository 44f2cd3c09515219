import { expect, test } from "@playwright/test";
import { bytesOf, FrameCache } from "../src/data/cache";
import type { Contacts, Frame } from "../src/data/types";

const bodies = 10;
const frameBytes = bodies * 13 * 4;

function frame(k: number): Frame {
  const bytes = new ArrayBuffer(frameBytes);
  const part = (from: number, n: number): Float32Array => new Float32Array(bytes, 4 * from * bodies, n * bodies);
  return { k, t: k, h: 1, step: k, x: part(0, 3), r: part(3, 4), u: part(7, 3), w: part(10, 3) };
}

// Answers when it is told to.
class SlowSource {
  asked: string[] = [];
  aborted: string[] = [];
  most = 0;
  private open = new Map<string, () => void>();

  frame(k: number, signal?: AbortSignal): Promise<Frame> {
    return this.wait(`frame/${k}`, frame(k), signal);
  }

  contacts(k: number, signal?: AbortSignal): Promise<Contacts> {
    return this.wait(`contacts/${k}`, { k } as Contacts, signal);
  }

  async answer(name: string): Promise<void> {
    this.open.get(name)?.();
    this.open.delete(name);
    for (let i = 0; i < 5; ++i) await Promise.resolve();
  }

  get waiting(): string[] {
    return [...this.open.keys()];
  }

  private wait<T>(name: string, value: T, signal?: AbortSignal): Promise<T> {
    this.asked.push(name);
    return new Promise((good, bad) => {
      this.open.set(name, () => good(value));
      this.most = Math.max(this.most, this.open.size);
      signal?.addEventListener("abort", () => {
        this.open.delete(name);
        this.aborted.push(name);
        bad(new DOMException("aborted", "AbortError"));
      });
    });
  }
}

const frames = (...list: number[]) => list.map((k) => ({ kind: "frame" as const, k }));

test("views into the same bytes are counted once", () => {
  expect(bytesOf(frame(0))).toBe(frameBytes);
});

test("memory is bounded and the least recently used go first", async () => {
  const quick = { frame: async (k: number) => frame(k), contacts: async (k: number) => ({ k }) as Contacts };
  const cache = new FrameCache(quick, { bytes: 3 * frameBytes });
  for (const k of [0, 1, 2]) await cache.getFrame(k);
  expect(cache.frame(0)?.k).toBe(0); // used again: 1 is now the oldest
  await cache.getFrame(3);
  expect(cache.byteLength).toBe(3 * frameBytes);
  expect(cache.frame(1)).toBeUndefined();
  expect([0, 2, 3].map((k) => cache.frame(k)?.k)).toEqual([0, 2, 3]);
  for (let k = 10; k < 200; ++k) {
    await cache.getFrame(k);
    expect(cache.byteLength).toBeLessThanOrEqual(3 * frameBytes);
  }
});

test("one entry above the limit is still kept while it is the newest", async () => {
  const quick = { frame: async (k: number) => frame(k), contacts: async (k: number) => ({ k }) as Contacts };
  const cache = new FrameCache(quick, { bytes: 10 });
  await cache.getFrame(0);
  await cache.getFrame(1);
  expect(cache.frame(0)).toBeUndefined();
  expect(cache.frame(1)?.k).toBe(1);
});

test("at most four requests at a time, in the order that was asked for", async () => {
  const source = new SlowSource();
  const cache = new FrameCache(source);
  cache.prefetch(frames(5, 6, 7, 8, 9, 10));
  expect(source.asked).toEqual(["frame/5", "frame/6", "frame/7", "frame/8"]);
  await source.answer("frame/6");
  expect(source.asked.at(-1)).toBe("frame/9");
  for (const k of [5, 7, 8, 9, 10]) await source.answer(`frame/${k}`);
  expect(source.asked.length).toBe(6);
  expect(source.most).toBe(4);
});

test("what somebody waits for overtakes what is read in advance", async () => {
  const source = new SlowSource();
  const cache = new FrameCache(source);
  cache.prefetch(frames(1, 2, 3, 4, 5, 6));
  const wanted = cache.getContacts(50);
  await source.answer("frame/1");
  expect(source.asked.at(-1)).toBe("contacts/50");
  await source.answer("contacts/50");
  expect((await wanted).k).toBe(50);
});

test("a new place aborts what is no longer wanted, but not what somebody waits for", async () => {
  const source = new SlowSource();
  const cache = new FrameCache(source);
  const held = cache.getFrame(1);
  cache.prefetch(frames(1, 2, 3));
  cache.prefetch(frames(70, 3));
  expect(source.aborted).toEqual(["frame/2"]);
  expect(source.waiting.sort()).toEqual(["frame/1", "frame/3", "frame/70"]);
  await source.answer("frame/1");
  expect((await held).k).toBe(1);
});

test("nothing is asked for twice", async () => {
  const source = new SlowSource();
  const cache = new FrameCache(source);
  const both = [cache.getFrame(4), cache.getFrame(4)];
  cache.prefetch(frames(4));
  await source.answer("frame/4");
  expect((await Promise.all(both)).map((f) => f.k)).toEqual([4, 4]);
  await cache.getFrame(4);
  expect(source.asked).toEqual(["frame/4"]);
});

test("an error reaches who waits and is not kept", async () => {
  let calls = 0;
  const cache = new FrameCache({
    frame: async (k: number) => {
      if (++calls === 1) throw new Error("disk");
      return frame(k);
    },
    contacts: async (k: number) => ({ k }) as Contacts,
  });
  await expect(cache.getFrame(0)).rejects.toThrow("disk");
  expect((await cache.getFrame(0)).k).toBe(0);
});
