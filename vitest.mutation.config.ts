import { statSync } from "node:fs";
import type { ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { parts } from "./mutation/parts.ts";
import { environments } from "./vitest.config.ts";

/** The first test that fails ends a run. What a small file takes is soon tried. */
class SmallFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return files.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  }
}

/** The tests that the mutants of a part meet: `pnpm mutation PART`. */
const config: ViteUserConfig = {
  environments,
  test: {
    // A worker for each file costs more than its tests.
    isolate: false,
    testTimeout: 120_000,
    sequence: { sequencer: SmallFilesFirst },
    setupFiles: ["mutation/properties.ts"],
    include: [...(parts[process.env.MUTATION_PART ?? ""]?.tests ?? [])],
  },
};

export default config;
