// Round numbers: 1, 2, 5 and powers of ten times them.

// The smallest round number that is not below.
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10]) {
    if (step * power >= value * (1 - 1e-9)) return Number((step * power).toPrecision(3));
  }
  return 10 * power;
}

// The largest round number that is not above.
export function roundDown(value: number): number {
  const up = roundUp(value);
  if (up <= value * (1 + 1e-9)) return up;
  const below = [2, 2.5].map((d) => Number((up / d).toPrecision(3)));
  return below.find((v) => roundUp(v) === v) ?? below[0];
}

// About `count` round numbers from low to high.
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const step = roundUp((high - low) / count);
  const list: number[] = [];
  const last = Math.floor(high / step + 1e-9);
  for (let i = Math.ceil(low / step - 1e-9); i <= last; ++i) list.push(Number((i * step).toPrecision(12)));
  return list;
}
