import type { ViteUserConfig } from "vitest/config";
import { FiguresReporter } from "./services/scoring/faults/support/figures.ts";
import { env, environments } from "./vitest.config.ts";

/** The tests that break things under load, some of which need root: `pnpm test:faults`. */
const config: ViteUserConfig = {
  environments,
  test: {
    env,
    reporters: ["default", new FiguresReporter()],
    testTimeout: 420_000,
    hookTimeout: 60_000,
    // Each takes all that the machine has: beside another one the service would refuse what it takes alone.
    maxWorkers: 1,
    include: ["services/*/faults/**/*.test.ts"],
  },
};

export default config;
