import type { ViteUserConfig } from "vitest/config";
import { environments } from "./vitest.config.ts";

/** The tests that make releases and install them, which takes minutes and npm's registry: `pnpm test:releases`. */
const config: ViteUserConfig = {
  environments,
  test: { testTimeout: 900_000, hookTimeout: 900_000, include: ["services/*/releases/**/*.test.ts"] },
};

export default config;
