/** The lines of all files of a report. */
export class CoveredLines {
  readonly #files = new Map<string, FileLines>();

  /** The lines of a file. A file that was not known yet has none. */
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

  /** Numbers of covered lines and of all lines. */
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

/** The lines of one file. Each takes two bits, so that a report of millions of lines needs little memory. */
export class FileLines {
  /** By page. The lower bit of a line is set if it was added, the upper bit if it is covered. */
  readonly #pages = new Map<number, number>();
  /** By page. The lower bit of a line is set if it is left out. */
  readonly #leftOut = new Map<number, number>();

  /** Adds a line by its number. A line that is added several times is covered if it was covered once. */
  add(line: number, covered: boolean): void {
    mark(this.#pages, line, covered ? presentAndCovered : present);
  }

  /** Leaves a line out of the count, even if it is added as not covered. A covered line counts in any case. */
  leaveOut(line: number): void {
    mark(this.#leftOut, line, present);
  }

  addAll(other: FileLines): void {
    for (const [page, bits] of other.#pages) add(this.#pages, page, bits);
    for (const [page, bits] of other.#leftOut) add(this.#leftOut, page, bits);
  }

  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const [page, added] of this.#pages) {
      let leftOut = this.#leftOut.get(page) ?? 0;
      for (let bits = added; bits !== 0; bits >>>= 2, leftOut >>>= 2) {
        const isCovered = (bits & presentAndCovered) === presentAndCovered;
        if (isCovered) covered++;
        if (isCovered || ((bits & present) !== 0 && (leftOut & present) === 0)) total++;
      }
    }
    return { covered, total };
  }
}

type Pages = Map<number, number>;

function mark(pages: Pages, line: number, bits: number): void {
  const page = Math.floor(line / linesOfPage);
  add(pages, page, bits << (2 * (line - page * linesOfPage)));
}

function add(pages: Pages, page: number, bits: number): void {
  pages.set(page, (pages.get(page) ?? 0) | bits);
}
