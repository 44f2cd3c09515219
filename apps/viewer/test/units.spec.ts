import { expect, test } from "@playwright/test";
import { category, viridis, type Rgb } from "../src/ui/colour_maps";
import { roundDown, roundUp, ticks } from "../src/ui/ticks";
import { useColour } from "../src/render/palette";
import { bytesText, plain, scaleFor, short, timeText, vectorText, withUnit } from "../src/ui/units";

test("plain numbers", () => {
  expect(plain(0)).toBe("0");
  expect(plain(12.3456)).toBe("12.35");
  expect(plain(-0.00123456)).toBe("−0.001235");
  expect(plain(1234567)).toBe("1.235 × 10⁶");
  expect(plain(3.2e-10)).toBe("3.200 × 10⁻¹⁰");
  expect(plain(12345)).toBe("12345");
  expect(plain(Number.NaN)).toBe("–");
  expect(plain(Number.NEGATIVE_INFINITY)).toBe("−∞");
});

test("SI prefixes", () => {
  expect(withUnit(1234.5, "N")).toBe("1.234 kN");
  expect(withUnit(0.01235, "m")).toBe("12.35 mm");
  expect(withUnit(-4.2e-6, "m", 2)).toBe("−4.2 µm");
  expect(withUnit(2.5e7, "J")).toBe("25.00 MJ");
  expect(withUnit(0, "N")).toBe("0 N");
  expect(withUnit(999.96, "N")).toBe("1.000 kN");
  expect(withUnit(1500, "kg")).toBe("1500 kg");
  expect(withUnit(0.5, "rad/s")).toBe("0.5000 rad/s");
  expect(withUnit(3e-15, "m")).toBe("3.000 × 10⁻¹⁵ m");
  expect(withUnit(0.25, "")).toBe("0.2500");
});

test("short numbers keep no empty zeros", () => {
  expect(short(1)).toBe("1");
  expect(short(0.5)).toBe("0.5");
  expect(short(0.1 + 0.2)).toBe("0.3");
  expect(short(200)).toBe("200");
  expect(short(1200, "N")).toBe("1.2 kN");
  expect(short(-20)).toBe("−20");
});

test("vectors share prefix and decimals", () => {
  expect(vectorText([1, -2.5, 0], "m")).toBe("(1.000, −2.500, 0.000) m");
  expect(vectorText([0, -9810], "N")).toBe("(0.000, −9.810) kN");
  expect(vectorText([-1e-9, 1], "")).toBe("(0.000, 1.000)");
  expect(vectorText([0, 0], "m/s")).toBe("(0.000, 0.000) m/s");
});

test("times have the decimals that tell frames apart", () => {
  expect(timeText(1.23456, 0.01)).toBe("1.23");
  expect(timeText(1.23456, 0.0005)).toBe("1.2346");
  expect(timeText(2, 0)).toBe("2.000");
  expect(bytesText(1234567)).toBe("1.2 MB");
});

test("round numbers and ticks", () => {
  expect([0.9, 1, 1.1, 2.3, 7, 0.03].map(roundUp)).toEqual([1, 1, 2, 5, 10, 0.05]);
  expect(roundUp(0)).toBe(1);
  expect([0.9, 1, 1.1, 2.3, 7, 0.03, 4e4].map(roundDown)).toEqual([0.5, 1, 1, 2, 5, 0.02, 2e4]);
  expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(-3, 7, 3)).toEqual([0, 5]);
  expect(ticks(0.13, 0.19, 4)).toEqual([0.14, 0.16, 0.18]);
  expect(ticks(1, 1, 4)).toEqual([]);
});

// CIE L* of an sRGB colour.
function lightness(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => (c <= 10.31475 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test("the colour map rises in lightness, evenly", () => {
  const steps = Array.from({ length: 64 }, (_, i) => lightness(viridis((i + 1) / 64)) - lightness(viridis(i / 64)));
  expect(Math.min(...steps)).toBeGreaterThan(0.3);
  expect(Math.max(...steps)).toBeLessThan(2.5);
  expect(viridis(0)).toEqual([68, 1, 84]);
  expect(viridis(1)).toEqual([253, 231, 37]);
  expect(viridis(7)).toEqual(viridis(1));
  expect(viridis(Number.NaN)).toEqual(viridis(0));
});

test("the colours of friction in use rise in lightness, evenly", () => {
  const steps = Array.from({ length: 32 }, (_, i) => lightness(useColour((i + 1) / 32)) - lightness(useColour(i / 32)));
  expect(Math.min(...steps)).toBeGreaterThan(0.5);
  expect(Math.max(...steps)).toBeLessThan(3);
});

test("a scale whose unit takes no prefix has a power of ten", () => {
  expect(scaleFor(1e-11, "m/s")).toEqual({ factor: 1e-11, unit: "10⁻¹¹ m/s" });
  expect(scaleFor(0.5, "m/s")).toEqual({ factor: 1, unit: "m/s" });
  expect(scaleFor(2e4, "N")).toEqual({ factor: 1e3, unit: "kN" });
  expect(scaleFor(3e-12, "J")).toEqual({ factor: 1e-12, unit: "10⁻¹² J" });
});

test("categories are told apart", () => {
  const names = new Set(Array.from({ length: 21 }, (_, i) => category(i).join()));
  expect(names.size).toBe(21);
});
