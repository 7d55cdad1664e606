import type { ViteUserConfig } from "vitest/config";
import { environments } from "./vitest.config.ts";

/** The tests that mutants meet, those beside the sources: `pnpm mutation`. */
const config: ViteUserConfig = {
  environments,
  test: { testTimeout: 120_000, setupFiles: ["mutation/properties.ts"], include: ["packages/*/src/**/*.test.ts"] },
};

export default config;
