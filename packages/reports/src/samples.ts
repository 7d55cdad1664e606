/** Numbers in the order they come in, eight bytes each. */
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
   * The percentile as JMeter's dashboard estimates it (Apache Commons Math 3, `Percentile`, LEGACY): at the position
   * percent · (n + 1) / 100 among the sorted numbers, on a straight line between the two beside it, and never outside of
   * them all. Undefined when there are none.
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
