import { expect, test } from "@playwright/test";
import { initialState, type State } from "../src/state";
import { readAddress, writeAddress } from "../src/ui/address";

test("an address sets the state", () => {
  const place = "azimuth=30&elevation=-20.5";
  const said = `#frame=3&forces=1&colour=speed&theme=dark&bodies=wire&select=12&ui=0&${place}&legend=1`;
  const { state, extras } = readAddress(said);
  const look = { forces: true, colour: "speed", theme: "dark", bodies: "wire" };
  expect(state).toEqual({ frame: 3, selected: 12, ui: false, ...look });
  expect(extras).toEqual({ azimuth: 30, elevation: -20.5, legend: true, tab: "body" });
});

test("what an address says wrongly is left out", () => {
  const said = "#frame=x&colour=red&bodies=&select=-2&speed=0&theme=blue&azimuth=&__proto__=1";
  const { state, extras } = readAddress(said);
  expect(state).toEqual({});
  expect(extras.azimuth).toBeNull();
});

test("forces make solid bodies glass unless the address says otherwise", () => {
  expect(readAddress("#forces=1").state.bodies).toBe("glass");
  expect(readAddress("#forces=1&bodies=solid").state.bodies).toBe("solid");
});

test("the address written is read back as the same state", () => {
  const state: State = {
    ...initialState,
    frame: 17,
    colour: "energy",
    colourMax: 2.5,
    forces: true,
    bodies: "solid",
    selected: 4,
    trail: true,
    panel: false,
    theme: "dark",
    speed: 0.2,
  };
  expect({ ...initialState, ...readAddress(`#${writeAddress(state, "light")}`).state }).toEqual(state);
  expect(writeAddress(initialState, "light")).toBe("");
});
