import { unreadable } from "./errors.ts";

/** A block of statements that always run together. */
export interface Block {
  /** Number of its statements. */
  readonly size: number;
  readonly covered: boolean;
}

/** The blocks of all files of a report. */
export class CoveredBlocks {
  readonly #files = new Map<string, Map<string, Block>>();

  /**
   * Adds the block at a place of a file. A block that is added several times is covered if it was covered once.
   *
   * @throws ReportError if it was added before with another number of statements. Then the source has changed in
   * between.
   */
  add(file: string, place: string, block: Block): void {
    const blocks = this.#files.get(file) ?? new Map<string, Block>();
    this.#files.set(file, blocks);
    const known = blocks.get(place);
    if (known && known.size !== block.size) {
      throw unreadable("covers two versions of the source: a block has different numbers of statements");
    }
    if (!known?.covered) blocks.set(place, block);
  }

  addAll(other: CoveredBlocks): void {
    for (const [file, blocks] of other.#files) {
      for (const [place, block] of blocks) this.add(file, place, block);
    }
  }

  /** Numbers of covered statements and of all statements. */
  count(): { covered: number; total: number } {
    let covered = 0;
    let total = 0;
    for (const blocks of this.#files.values()) {
      for (const block of blocks.values()) {
        total += block.size;
        if (block.covered) covered += block.size;
      }
    }
    return { covered, total };
  }
}
