import { expect, test } from "@playwright/test";
import { DataError, parseBundle } from "../src/data/bundle";
import { contactsOf, frameOf, timelineOf } from "../src/data/cast";
import { GoneError, HttpSource } from "../src/data/http_source";
import { assemble, frameBundle, makeBundle } from "./make_bundle";

const doubles = new Float64Array([0, 0.5, 1]);
const timeline = (): ArrayBuffer =>
  makeBundle(
    { frames: 3, finished: true, rows: 7, outcome: { stands: true } },
    {
      time: { type: "f64", shape: [3], values: doubles },
      h: { type: "f64", shape: [3], values: doubles },
      step: { type: "f64", shape: [3], values: doubles },
    },
  );

test("a bundle's arrays are views into its bytes", () => {
  const bytes = frameBundle(3, 5);
  const frame = frameOf(parseBundle(bytes, "frame/3"), 5);
  expect(frame.k).toBe(3);
  expect(frame.t).toBeCloseTo(0.3, 12);
  expect(frame.r.length).toBe(20);
  expect(frame.x.buffer).toBe(bytes);
  expect([...frame.u].every((v) => v === 3)).toBe(true);
});

test("bytes that do not begin their buffer are copied into place", () => {
  const bytes = new Uint8Array(frameBundle(2, 4));
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(frameOf(parseBundle(shifted.subarray(3), "frame")).x[11]).toBe(2);
});

test("names outside ASCII, empty arrays and every type", () => {
  const arrays = {
    a: { type: "u8", shape: [3], values: new Uint8Array([1, 2, 255]) },
    b: { type: "i16", shape: [1, 2], values: new Int16Array([-7, 9]) },
    c: { type: "u16", shape: [1], values: new Uint16Array([65535]) },
    d: { type: "i32", shape: [1], values: new Int32Array([-5]) },
    e: { type: "u32", shape: [1], values: new Uint32Array([4e9]) },
    none: { type: "f32", shape: [0, 3], values: new Float32Array(0) },
    last: { type: "f64", shape: [1], values: new Float64Array([Math.PI]) },
  };
  const bundle = parseBundle(makeBundle({ title: "Bögen – 石" }, arrays), "all");
  expect(bundle.text("title")).toBe("Bögen – 石");
  expect([...bundle.array("a", "u8", [3])]).toEqual([1, 2, 255]);
  expect([...bundle.array("b", "i16", [-1, 2])]).toEqual([-7, 9]);
  expect(bundle.array("c", "u16", [1])[0]).toBe(65535);
  expect(bundle.array("d", "i32", [1])[0]).toBe(-5);
  expect(bundle.array("e", "u32", [1])[0]).toBe(4e9);
  expect(bundle.array("none", "f32", [-1, 3]).length).toBe(0);
  expect(bundle.array("last", "f64", [1])[0]).toBe(Math.PI);
});

test("malformed bundles are refused with a reason", () => {
  const good = frameBundle(1, 4);
  const refused = (bytes: ArrayBuffer, reason: RegExp): void => {
    expect(() => parseBundle(bytes, "frame/1")).toThrow(DataError);
    expect(() => parseBundle(bytes, "frame/1")).toThrow(reason);
  };
  refused(new ArrayBuffer(0), /too few/);
  refused(good.slice(0, 7), /too few/);
  refused(good.slice(0, 20), /header/);
  refused(good.slice(0, good.byteLength - 8), /"w" is cut off/);
  const wrong = good.slice(0);
  new Uint8Array(wrong)[3] = 0x32;
  refused(wrong, /CVB1/);
  const long = good.slice(0);
  new DataView(long).setUint32(4, 0xfffffff8, true);
  refused(long, /header/);
  refused(assemble("{", 0), /not JSON/);
  refused(assemble("[]", 0), /not an object/);
  refused(assemble("{}", 0), /lacks/);
  const one = (entry: object): ArrayBuffer => assemble(JSON.stringify({ fields: {}, arrays: { x: entry } }), 64);
  refused(one({ type: "f16", shape: [1], offset: 0 }), /type/);
  refused(one({ type: "constructor", shape: [1], offset: 0 }), /type/);
  refused(one({ type: "f32", shape: [-1], offset: 0 }), /shape/);
  refused(one({ type: "f32", shape: [1.5], offset: 0 }), /shape/);
  refused(one({ type: "f32", shape: [1], offset: 4 }), /multiple of 8/);
  refused(one({ type: "f32", shape: [1], offset: -8 }), /multiple of 8/);
  refused(one({ type: "f64", shape: [9], offset: 0 }), /cut off/);
  refused(one({ type: "f64", shape: [1e9, 1e9], offset: 0 }), /cut off/);
});

test("arrays and fields that do not fit are named", () => {
  const bundle = parseBundle(frameBundle(1, 4), "frame/1");
  expect(() => frameOf(bundle, 5)).toThrow(/"x" is f32 \(4, 3\), expected f32 \(5, 3\)/);
  expect(() => bundle.array("y", "f32", [4])).toThrow(/"y" is missing/);
  expect(() => bundle.text("k")).toThrow(/"k" must be a text/);
  expect(() => timelineOf(bundle)).toThrow(/time/);
});

test("contacts of bodies that are not there are refused", () => {
  const f3 = { type: "f32", shape: [1, 3], values: new Float32Array(3) };
  const bundle = parseBundle(
    makeBundle(
      { k: 0, h: 1e-3 },
      {
        body: { type: "u32", shape: [1, 2], values: new Uint32Array([0, 9]) },
        point: f3,
        normal: f3,
        impulse: f3,
        velocity: f3,
        gap: { type: "f32", shape: [1], values: new Float32Array(1) },
        status: { type: "u8", shape: [1], values: new Uint8Array(1) },
        use: { type: "f32", shape: [1], values: new Float32Array([Number.NaN]) },
      },
    ),
    "contacts/0",
  );
  expect(contactsOf(bundle, 10).count).toBe(1);
  expect(() => contactsOf(bundle, 9)).toThrow(/9 is out of range/);
});

test("over HTTP: bytes are counted, one failure is forgiven, then the server has gone", async () => {
  let calls = 0;
  const flaky = new HttpSource(async (address) => {
    if (++calls === 1) throw new TypeError("connection closed");
    expect(address).toBe("timeline?from=0");
    return new Response(timeline());
  });
  expect((await flaky.timeline(0)).outcome).toEqual({ stands: true });
  expect(calls).toBe(2);
  expect(flaky.bytes()).toBe(timeline().byteLength);

  const gone = new HttpSource(async () => {
    throw new TypeError("refused");
  });
  await expect(gone.frame(0)).rejects.toThrow(GoneError);
});

test("over HTTP: the server's own words are passed on, without another try", async () => {
  let calls = 0;
  const source = new HttpSource(async () => {
    ++calls;
    return new Response("frame 9 is out of range", { status: 404 });
  });
  await expect(source.frame(9)).rejects.toThrow(/frame\/9: frame 9 is out of range \(HTTP 404\)/);
  expect(calls).toBe(1);
});
