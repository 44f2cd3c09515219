// Numbers as text: SI prefixes, a fixed number of significant digits, a real minus sign.

const prefixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

// Units that take a prefix; kg, s, rad and ratios are written as they are.
const prefixed = new Set(["N", "J", "m", "Pa", "W", "N m"]);

const minusSign = (text: string): string => text.replace(/-/g, "−");

export const superscript = (exponent: number): string =>
  [...String(exponent)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");

// 12.35, 0.001235, 1.235 × 10⁻⁷; `digits` significant ones.
export function plain(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10 ** Math.max(digits, 5) || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${minusSign(mantissa)} × 10${superscript(Number(exponent))}`;
  }
  return minusSign(value.toPrecision(digits).includes("e") ? value.toFixed(0) : value.toPrecision(digits));
}

// For several numbers up to `largest` that shall share a prefix.
export function prefixFor(largest: number, unit: string): { factor: number; unit: string } {
  const usable = prefixed.has(unit) && largest >= 1e-9 && largest < 1e12;
  const [factor, prefix] = (usable ? prefixes.find(([f]) => largest >= f * (1 - 1e-9)) : undefined) ?? [1, ""];
  return { factor, unit: `${prefix}${unit}` };
}

// For a scale from 0 to `top`: where no prefix helps, a power of ten goes before the unit.
export function scaleFor(top: number, unit: string): { factor: number; unit: string } {
  const found = prefixFor(top, unit);
  const within = top / found.factor;
  if (within >= 1e-2 && within < 1e4) return found;
  const power = Math.floor(Math.log10(top) + 1e-9);
  return { factor: 10 ** power, unit: `10${superscript(power)}${unit ? ` ${unit}` : ""}` };
}

export function withUnit(value: number, unit: string, digits = 4): string {
  if (unit === "") return plain(value, digits);
  if (!prefixed.has(unit) || value === 0 || !Number.isFinite(value)) return `${plain(value, digits)} ${unit}`;
  // Rounded first, so that 999.96 becomes 1.000 k and not 1000.
  const size = Math.abs(Number(value.toPrecision(digits)));
  const [factor, prefix] = prefixes.find(([f]) => size >= f) ?? [1, ""];
  if (size < 1e-9 || size >= 1e12) return `${plain(value, digits)} ${unit}`;
  return `${plain(value / factor, digits)} ${prefix}${unit}`;
}

// Short: no zeros that say nothing; for ticks and legends.
export function short(value: number, unit = ""): string {
  const text = withUnit(Number(value.toPrecision(12)), unit, 4);
  return text.replace(/(\.\d*?)0+(?= |$)/, "$1").replace(/\.(?= |$)/, "");
}

// All with the same prefix and decimals, so that columns can be compared.
export function vectorText(values: readonly number[], unit: string, digits = 4): string {
  const largest = Math.max(...values.map(Math.abs));
  const { factor, unit: name } = prefixFor(largest, unit);
  const power = largest > 0 ? Math.floor(Math.log10(largest / factor)) : 0;
  if (power < -3 || power > 5) {
    return `(${values.map((v) => minusSign(v.toExponential(digits - 2))).join(", ")})${unit ? ` ${unit}` : ""}`;
  }
  const decimals = Math.max(0, digits - 1 - Math.max(power, 0));
  const parts = values.map((v) => minusSign((v / factor).toFixed(decimals)).replace(/^−(0(\.0*)?)$/, "$1"));
  return `(${parts.join(", ")})${name ? ` ${name}` : ""}`;
}

// Times of frames need as many decimals as tell neighbours apart.
export function timeText(t: number, spacing: number): string {
  const decimals = spacing > 0 ? Math.min(7, Math.max(2, Math.ceil(-Math.log10(spacing) - 1e-9))) : 3;
  return minusSign(t.toFixed(decimals));
}

export function bytesText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
