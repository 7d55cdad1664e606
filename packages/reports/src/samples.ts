/** A growing list of numbers that needs only eight bytes for each. */
export class Samples {
  #values = new Float64Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /**
   * A percentile as JMeter's dashboard computes it (Apache Commons Math 3, `Percentile`, LEGACY). Its position among
   * the n sorted numbers is percent · (n + 1) / 100, but at least 1 and at most n. Between two numbers it is
   * interpolated linearly. Undefined if there are no numbers.
   */
  percentile(percent: number): number | undefined {
    const sorted = this.#values.slice(0, this.#length).sort();
    const position = Math.min(Math.max((percent * (sorted.length + 1)) / 100, 1), sorted.length);
    const below = sorted[Math.floor(position) - 1];
    const above = sorted[Math.ceil(position) - 1];
    if (below === undefined || above === undefined) return undefined;
    return below + (position - Math.floor(position)) * (above - below);
  }
}
