import { expect, test } from "@playwright/test";
import { initialState } from "../src/state";
import { readAddress, writeAddress } from "../src/ui/address";

test("an address sets the state", () => {
  const { state, extras } = readAddress("#frame=3&forces=1&colour=speed&theme=dark&bodies=wire&select=12&ui=0&azimuth=30&elevation=-20.5&legend=1");
  expect(state).toEqual({ frame: 3, forces: true, colour: "speed", theme: "dark", bodies: "wire", selected: 12, ui: false });
  expect(extras).toEqual({ azimuth: 30, elevation: -20.5, legend: true, tab: "body" });
});

test("what an address says wrongly is left out", () => {
  const { state, extras } = readAddress("#frame=x&colour=red&bodies=&select=-2&speed=0&theme=blue&azimuth=&__proto__=1");
  expect(state).toEqual({});
  expect(extras.azimuth).toBeNull();
});

test("forces make solid bodies glass unless the address says otherwise", () => {
  expect(readAddress("#forces=1").state.bodies).toBe("glass");
  expect(readAddress("#forces=1&bodies=solid").state.bodies).toBe("solid");
});

test("the address written is read back as the same state", () => {
  const state = { ...initialState, frame: 17, colour: "energy" as const, colourMax: 2.5, forces: true, bodies: "solid" as const, selected: 4, trail: true, panel: false, theme: "dark" as const, speed: 0.2 };
  expect({ ...initialState, ...readAddress(`#${writeAddress(state, "light")}`).state }).toEqual(state);
  expect(writeAddress(initialState, "light")).toBe("");
});
