import { defineScorecard, type Scorecard } from "@maturity/core";
import packageJson from "../package.json" with { type: "json" };
import { dast } from "./dast.ts";
import { imageScan } from "./image-scan.ts";
import { sast } from "./sast.ts";
import { secretScan } from "./secret-scan.ts";

export { dast, imageScan, sast, secretScan };

/** How safe is what is shipped? */
export const security: Scorecard<"security", typeof imageScan | typeof secretScan | typeof sast | typeof dast> =
  defineScorecard({
    name: "security",
    title: "Security",
    dimension: "ship",
    weight: 35,
    package: packageJson,
    metrics: [imageScan, secretScan, sast, dast],
  });
