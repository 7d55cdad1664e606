/** The lines of all files of a report, or of several reports together. */
export class CoveredLines {
  /** By name. Files of a name that `addAll` separates follow each other. */
  readonly #files = new Map<string, FileLines>();
  readonly #united = new Set<FileLines>();
  readonly #separated = new Set<string>();

  /** The lines of a file. A file that was not known yet has none. */
  of(file: string): FileLines {
    const known = this.#files.get(file);
    if (known) return known;
    const lines = new FileLines();
    this.#files.set(file, lines);
    return lines;
  }

  /**
   * Adds the files of another report. A line of a file that both have is covered if either covers it. Both have a file if
   * its absolute name is the same. A relative name may be that of another file in another package, so its lines must be
   * the same too.
   */
  addAll(other: CoveredLines): void {
    for (const [file, first] of other.#files) {
      const isCertain = isAbsolute(file);
      for (let lines: FileLines | undefined = first; lines; lines = lines.next) {
        let known = this.of(file);
        while (!isCertain && !known.canBe(lines)) {
          this.#separated.add(file);
          known.next ??= new FileLines();
          known = known.next;
        }
        if (!isCertain && !known.isEmpty && !lines.isEmpty) this.#united.add(known);
        known.addAll(lines);
      }
    }
  }

  /** How relative names that stand in several reports were understood: which rule counted how many. */
  get notes(): string[] {
    return [
      ...noteOn(this.#united.size, "files of the same name and the same lines in several reports count once"),
      ...noteOn(this.#separated.size, "names that stand for different lines in several reports count as several files"),
    ];
  }

  /** Numbers of covered lines and of all lines. */
  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const first of this.#files.values()) {
      for (let lines: FileLines | undefined = first; lines; lines = lines.next) {
        const counts = lines.count();
        covered += counts.covered;
        total += counts.total;
      }
    }
    return { covered, total };
  }
}

/** Whether a name of a file begins at the root of a file system. */
export function isAbsolute(file: string): boolean {
  return /^(?:[a-z]:)?[\\/]/i.test(file);
}

function noteOn(count: number, text: string): string[] {
  return count === 0 ? [] : [`${text}: ${count}`];
}

const linesOfPage = 15;
const present = 0b01;
const presentAndCovered = 0b11;
/** The lower bits of all lines of a page. */
const presentOfPage = 0x15555555;

/** The lines of one file. Each takes two bits, so that a report of millions of lines needs little memory. */
export class FileLines {
  /** The lower bit of a line is set if it was added, the upper bit if it is covered. */
  readonly #pages = new Pages();
  /** The lower bit of a line is set if it is left out. Undefined if none is. */
  #leftOut: Pages | undefined;
  /** Another file of the same name, from another report. */
  next: FileLines | undefined;

  /** Whether no line was added. */
  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** Whether it can be the same file as another one: both have the same lines, or one has none. */
  canBe(other: FileLines): boolean {
    if (this.isEmpty || other.isEmpty) return true;
    if (this.#pages.size !== other.#pages.size) return false;
    for (const [page, bits] of this.#pages.all()) {
      if (((bits ^ other.#pages.bitsOf(page)) & presentOfPage) !== 0) return false;
    }
    return true;
  }

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

  get size(): number {
    return (this.#first === undefined ? 0 : 1) + (this.#others?.size ?? 0);
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
