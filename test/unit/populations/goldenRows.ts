/** Numbers from 0 to 2³¹ − 1, as makePopulations.py makes them. */
class Sequence {
  constructor(private state: number) {}

  below(n: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.state >>> 8) % n;
  }
}

const LONG = 9_007_199_254_740_992n;

export interface GoldenRow {
  Image: string;
  Class: string;
  Area: string;
  Intensity: string;
  X: string;
  Y: string;
  /** Integers beyond 2⁵³. */
  Long: string;
}

/** The rows that test/golden/makePopulations.py makes. */
export function goldenRows(count: number): GoldenRow[] {
  const numbers = new Sequence(20_261_128);
  return Array.from({ length: count }, () => {
    const image = numbers.below(9);
    const kind = numbers.below(5);
    const area = numbers.below(40_000) - 2000;
    const intensity = numbers.below(1000);
    const [x, y] = [numbers.below(401), numbers.below(401)];
    const gone = numbers.below(100);
    return {
      Image: image === 8 && numbers.below(4) === 0 ? '' : `plate/well_${image}.tif`,
      Class: kind === 4 ? '' : ('ABCD'[kind] ?? ''),
      Area: gone < 6 ? '' : (area / 100).toFixed(2),
      Intensity: gone >= 4 && gone < 14 ? '' : String(intensity * (1 + (image % 3))),
      X: gone === 20 ? '' : String(x / 4),
      Y: gone === 21 ? '' : String(y / 4),
      Long: gone === 22 ? '' : String(LONG + BigInt(intensity)),
    };
  });
}

export function goldenCsv(rows: readonly GoldenRow[]): string {
  const [first] = rows;
  const names = Object.keys(first ?? {}) as (keyof GoldenRow)[];
  const lines = rows.map(row => names.map(name => row[name]).join(','));
  return `${[names.join(','), ...lines].join('\n')}\n`;
}
