/** Numbers that look random and are the same on every machine: a 32-bit xorshift generator. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Spreads small seeds over all bits; zero would stay zero.
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
    for (let i = 0; i < 8; i++) this.bits();
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Normally distributed, mean 0, standard deviation 1 (Irwin–Hall: good enough for noise, and fast). */
  normal(): number {
    let sum = 0;
    // Six sums of two 16-bit halves: twelve uniform numbers have variance 1.
    for (let i = 0; i < 6; i++) {
      const bits = this.bits();
      sum += (bits >>> 16) + (bits & 0xffff);
    }
    return sum / 65_536 - 6;
  }

  /** Number of photons where `mean` are expected (Poisson; for many, its normal approximation). */
  poisson(mean: number): number {
    if (mean <= 0) return 0;
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.unit(); product > limit; product *= this.unit()) count++;
    return count;
  }

  private bits(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return x >>> 0;
  }
}
