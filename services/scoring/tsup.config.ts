import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";
import { buildSite } from "./site/build.ts";
import { docsAssets } from "./src/http/docs.ts";

const config: Options = {
  ...base,
  entry: ["src/main.ts"],
  dts: false,
  // Of the package only these files are shipped: to install it as a dependency runs a script that tells who did.
  async onSuccess() {
    buildSite(fileURLToPath(new URL("dist/docs/site", import.meta.url)));
    mkdirSync("dist/docs", { recursive: true });
    const { resolve } = createRequire(import.meta.url);
    for (const name of [...docsAssets, "LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]) {
      copyFileSync(resolve(`swagger-ui-dist/${name}`), `dist/docs/${name}`);
    }
  },
};

export default config;
