import type { ViteUserConfig } from "vitest/config";
import { parts } from "./mutation/parts.ts";
import { environments } from "./vitest.config.ts";

/** The tests that the mutants of a part meet: `pnpm mutation PART`. */
const config: ViteUserConfig = {
  environments,
  test: {
    // A worker for each file costs more than its tests.
    isolate: false,
    testTimeout: 120_000,
    setupFiles: ["mutation/properties.ts"],
    include: [...(parts[process.env.MUTATION_PART ?? ""]?.tests ?? [])],
  },
};

export default config;
