import type { ViteUserConfig } from "vitest/config";
import { FiguresReporter } from "./services/scoring/faults/support/figures.ts";
import { environments } from "./vitest.config.ts";

/** The tests that break things under load, some of which need root: `pnpm test:faults`. */
const config: ViteUserConfig = {
  environments,
  test: {
    reporters: ["default", new FiguresReporter()],
    testTimeout: 420_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    include: ["services/*/faults/**/*.test.ts"],
  },
};

export default config;
