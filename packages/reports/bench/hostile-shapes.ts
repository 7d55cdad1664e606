import { hostileCoverage } from "./hostile-coverage.ts";
import { hostileFindings } from "./hostile-findings.ts";
import { hostileLoadTests } from "./hostile-load-tests.ts";
import { hostileScanners } from "./hostile-scanners.ts";
import type { HostileShapes } from "./shape.ts";

/** The shapes that cost each format the most. */
export const shapes: HostileShapes = {
  ...hostileScanners,
  ...hostileFindings,
  ...hostileCoverage,
  ...hostileLoadTests,
};
