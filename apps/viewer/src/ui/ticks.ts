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

// About `count` round numbers from low to high.
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low) || count < 1) return [];
  const step = roundUp((high - low) / count);
  const list: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) list.push(Number((i * step).toPrecision(12)));
  return list;
}
