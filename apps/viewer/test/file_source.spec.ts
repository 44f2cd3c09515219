// Pages with data inside, made by the program's own encoder (src/cairn/view/test/html_test.cpp writes the fixtures, from
// the formulas of synthetic_result.hpp).
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { fromBase64, type Texts } from "../src/data/blobs";
import { FileSource } from "../src/data/file_source";
import { floatOf, StreamReader } from "../src/data/streams";

const bodies = 5;
const frames = 20;
const place = 1e-4; // [m]

function fixture(dimension: 2 | 3): Map<string, string> {
  const html = readFileSync(fileURLToPath(new URL(`fixture/page${dimension}.html`, import.meta.url)), "utf8");
  const texts = new Map<string, string>();
  for (const found of html.matchAll(/class="cairn-blob" data-name="([^"]*)">([^<]*)</g)) texts.set(found[1], found[2]);
  return texts;
}

function sourceOf(texts: Map<string, string>): FileSource {
  const blobs: Texts = { has: (name) => texts.has(name), text: (name) => texts.get(name) ?? null };
  return new FileSource(blobs);
}

const near = (got: number, want: number, error: number): void => expect(Math.abs(got - want)).toBeLessThanOrEqual(error);
const relative = 2 ** -12;

for (const dimension of [2, 3] as const) {
  const flat = dimension === 2;

  test(`frames of a page come back, dimension ${dimension}`, async () => {
    const source = sourceOf(fixture(dimension));
    for (const k of [19, 0, 3, 15, 16, 1]) {
      const frame = await source.frame(k);
      const t = 0.1 * k;
      expect([frame.k, frame.step]).toEqual([k, k]);
      near(frame.t, t, 1e-12);
      for (let b = 0; b < bodies; ++b) {
        const x = [b + 0.3 * Math.sin(0.5 * t * (b + 1)), 2 - 0.05 * t * t * b, flat ? 0 : 0.1 * t];
        const u = [0.3 * Math.cos(t), -0.1 * t * b, flat ? 0 : 0.1];
        const w = flat ? [0, 0, 3 * b] : [b, 2 * b, 3 * b];
        for (let i = 0; i < 3; ++i) {
          near(frame.x[3 * b + i], x[i], place / 2 + 1e-6);
          near(frame.u[3 * b + i], u[i], Math.max(1e-4, relative * Math.abs(u[i])));
          near(frame.w[3 * b + i], w[i], relative * Math.abs(w[i]));
        }
        const s = Math.sin(1.5 * t * b);
        const r = flat ? [0, 0, s, Math.cos(1.5 * t * b)] : [s / 3, (2 * s) / 3, (2 * s) / 3, Math.cos(1.5 * t * b)];
        const dot = r.reduce((sum, c, i) => sum + c * frame.r[4 * b + i], 0);
        near(Math.abs(dot), 1, 1e-7);
      }
    }
  });

  test(`contacts of a page come back, dimension ${dimension}`, async () => {
    const source = sourceOf(fixture(dimension));
    for (let k = 0; k < frames; ++k) {
      const contacts = await source.contacts(k);
      const want = [0, 1, 2, 3].filter((b) => (b + k) % 3 !== 0).slice(0, -1); // the last has no impulse
      expect(contacts.k).toBe(k);
      near(contacts.h, k > 0 ? 0.1 : 0, 1e-12);
      expect(contacts.count).toBe(want.length);
      want.forEach((b, n) => {
        expect(Array.from(contacts.body.subarray(2 * n, 2 * n + 2))).toEqual([b, b + 1]);
        const vectors: [Float32Array, number[], number][] = [
          [contacts.point, [b + 0.5, 2 + 0.01 * k, flat ? 0 : 0.25], place / 2 + 1e-6],
          [contacts.normal, [0.6, -0.8, 0], 1e-4],
          [contacts.impulse, [0.1 * b, 1 + b + 0.01 * k, flat ? 0 : -0.5], relative * (2 + b)],
          [contacts.velocity, [0.02 * b, 0, flat ? 0 : 0.3], 1e-4],
        ];
        for (const [got, vector, error] of vectors) vector.forEach((v, i) => near(got[3 * n + i], v, error));
        near(contacts.gap[n], -1e-4 * b, 1e-7);
        if (b === 2) expect(contacts.use[n]).toBeNaN();
        else near(contacts.use[n], b / 4, 1e-3);
        expect(contacts.status[n]).toBe(1 + (b % 2));
      });
    }
  });
}

test("timeline and path agree with the frames", async () => {
  const source = sourceOf(fixture(3));
  expect(source.live).toBe(false);
  const timeline = await source.timeline(0);
  expect(timeline.frames).toBe(frames);
  expect(timeline.outcome).toEqual({ frames: -1, a: "},{" });
  expect((await source.timeline(18)).time.length).toBe(2);
  const path = await source.path(4, 7);
  expect(Array.from(path.k)).toEqual([0, 3, 6, 10, 13, 16, 19]);
  for (let i = 0; i < path.k.length; ++i) {
    const frame = await source.frame(path.k[i]);
    expect(Array.from(path.x.subarray(3 * i, 3 * i + 3))).toEqual(Array.from(frame.x.subarray(12, 15)));
  }
  expect(source.bytes()).toBeGreaterThan(0);
});

test("what does not exist or is damaged gives a message", async () => {
  const texts = fixture(2);
  const source = sourceOf(texts);
  await expect(source.frame(20)).rejects.toThrow("frame 20 does not exist, there are 20");
  await expect(source.frame(-1)).rejects.toThrow("does not exist");
  await expect(source.path(5, 10)).rejects.toThrow("body 5 does not exist");
  const without = new Map(texts);
  without.delete("contacts/0");
  await expect(sourceOf(without).contacts(0)).rejects.toThrow("made without contacts");
  const frame = texts.get("frames/0") ?? "";
  for (const bad of [frame.slice(0, -4), frame.slice(0, -3), frame.replace(/.{8}$/, "AAAAAAAA"), "", "%%%%"]) {
    await expect(sourceOf(new Map(texts).set("frames/0", bad)).frame(0)).rejects.toThrow(/frames\/0/);
  }
  await expect(sourceOf(new Map(texts).set("frames/0", texts.get("first") ?? "")).frame(0)).rejects.toThrow(/frames\/0/);
});

test("a failed group is read again, a stopped request is not answered", async () => {
  const texts = fixture(2);
  const good = texts.get("frames/0") ?? "";
  texts.set("frames/0", "");
  const source = sourceOf(texts);
  await expect(source.frame(0)).rejects.toThrow();
  texts.set("frames/0", good);
  expect((await source.frame(0)).k).toBe(0);
  await expect(source.frame(1, AbortSignal.abort())).rejects.toThrow();
});

test("numbers longer than 32 bits and the ends of floats", () => {
  // 2^46 and -2^46 as the encoder folds them: 2^47 and 2^47 - 1.
  const bytes = new Uint8Array([6, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 128, 127]);
  expect(Array.from(new StreamReader(bytes.buffer, "stream").stream(2))).toEqual([2 ** 46, -(2 ** 46)]);
  expect(floatOf(0)).toBe(0);
  expect(floatOf(0x3f800)).toBe(1);
  expect(floatOf(-0x40000)).toBe(-2);
  expect(floatOf(0x7fc00)).toBeNaN();
});

test("base64 of every length", () => {
  for (let length = 0; length < 40; ++length) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + 7 * length) & 255);
    expect(Array.from(fromBase64(Buffer.from(bytes).toString("base64"), "text"))).toEqual(Array.from(bytes));
  }
  expect(() => fromBase64("AB\u0141=", "text")).toThrow("text: damaged");
  expect(() => fromBase64("ABC", "text")).toThrow("cut off");
});
