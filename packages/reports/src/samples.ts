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
   * The percentile by nearest rank: the smallest of the numbers that at least so many percent of them do not exceed.
   * Undefined when there are none.
   */
  percentile(percent: number): number | undefined {
    const sorted = this.#values.slice(0, this.#length).sort();
    return sorted[Math.ceil((percent * this.#length) / 100) - 1];
  }
}
