import { unreadable } from "./errors.ts";

/** A block of statements that run one after the other. */
export interface Block {
  /** How many statements it has. */
  readonly size: number;
  readonly covered: boolean;
}

/** The blocks of every file of a report. */
export class CoveredBlocks {
  readonly #files = new Map<string, Map<string, Block>>();

  /**
   * Adds the block at a place of a file. One that is added more than once is covered if it was so once.
   *
   * @throws ReportError when it was added with another number of statements, so from another version of the source
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

  /** How many statements there are, and how many of them are covered. */
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
