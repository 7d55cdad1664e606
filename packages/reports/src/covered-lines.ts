/** The lines of every file of a report. */
export class CoveredLines {
  readonly #files = new Map<string, FileLines>();

  /** The lines of a file, none at first. */
  of(file: string): FileLines {
    const known = this.#files.get(file);
    if (known) return known;
    const lines = new FileLines();
    this.#files.set(file, lines);
    return lines;
  }

  addAll(other: CoveredLines): void {
    for (const [file, lines] of other.#files) this.of(file).addAll(lines);
  }

  /** How many lines there are, and how many of them are covered. */
  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const lines of this.#files.values()) {
      const counts = lines.count();
      covered += counts.covered;
      total += counts.total;
    }
    return { covered, total };
  }
}

const linesOfPage = 15;
const present = 0b01;
const presentAndCovered = 0b11;

/** The lines of one file in two bits each, so that a report of millions of lines stays small. */
export class FileLines {
  /** By page: the lower bit of a line says that it is there, the upper one that it is covered. */
  readonly #pages = new Map<number, number>();

  /** Adds a line by its number. One that is added more than once is covered if it was so once. */
  add(line: number, covered: boolean): void {
    const page = Math.floor(line / linesOfPage);
    this.#mark(page, (covered ? presentAndCovered : present) << (2 * (line - page * linesOfPage)));
  }

  addAll(other: FileLines): void {
    for (const [page, bits] of other.#pages) this.#mark(page, bits);
  }

  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const page of this.#pages.values()) {
      for (let bits = page; bits !== 0; bits >>>= 2) {
        if ((bits & presentAndCovered) !== 0) total++;
        if ((bits & presentAndCovered) === presentAndCovered) covered++;
      }
    }
    return { covered, total };
  }

  #mark(page: number, bits: number): void {
    this.#pages.set(page, (this.#pages.get(page) ?? 0) | bits);
  }
}
