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
  /** The lower bit of a line is set if it was added, the upper bit if it is covered. */
  readonly #pages = new Pages();
  /** The lower bit of a line is set if it is left out. Undefined if none is. */
  #leftOut: Pages | undefined;

  /** Adds a line by its number. A line that is added several times is covered if it was covered once. */
  add(line: number, covered: boolean): void {
    mark(this.#pages, line, covered ? presentAndCovered : present);
  }

  /** Leaves a line out of the count, even if it is added as not covered. A covered line counts in any case. */
  leaveOut(line: number): void {
    this.#leftOut ??= new Pages();
    mark(this.#leftOut, line, present);
  }

  addAll(other: FileLines): void {
    for (const [page, bits] of other.#pages.all()) this.#pages.add(page, bits);
    if (!other.#leftOut) return;
    this.#leftOut ??= new Pages();
    for (const [page, bits] of other.#leftOut.all()) this.#leftOut.add(page, bits);
  }

  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const [page, added] of this.#pages.all()) {
      let leftOut = this.#leftOut?.bitsOf(page) ?? 0;
      for (let bits = added; bits !== 0; bits >>>= 2, leftOut >>>= 2) {
        const isCovered = (bits & presentAndCovered) === presentAndCovered;
        if (isCovered) covered++;
        if (isCovered || ((bits & present) !== 0 && (leftOut & present) === 0)) total++;
      }
    }
    return { covered, total };
  }
}

/** Bits by page. The first page stands beside the map, because a map for each of millions of small files fills the memory. */
class Pages {
  #first: number | undefined;
  #bits = 0;
  #others: Map<number, number> | undefined;

  add(page: number, bits: number): void {
    this.#first ??= page;
    if (page === this.#first) this.#bits |= bits;
    else {
      this.#others ??= new Map();
      this.#others.set(page, (this.#others.get(page) ?? 0) | bits);
    }
  }

  bitsOf(page: number): number {
    return page === this.#first ? this.#bits : (this.#others?.get(page) ?? 0);
  }

  *all(): Generator<readonly [page: number, bits: number]> {
    if (this.#first !== undefined) yield [this.#first, this.#bits];
    if (this.#others) yield* this.#others;
  }
}

function mark(pages: Pages, line: number, bits: number): void {
  const page = Math.floor(line / linesOfPage);
  pages.add(page, bits << (2 * (line - page * linesOfPage)));
}
