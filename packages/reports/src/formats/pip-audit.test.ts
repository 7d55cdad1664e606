import { testFormat } from "../../test/support/test-format.ts";
import { pipAudit } from "./pip-audit.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
const sast = { options: { metric: "sast" } } as const;
const dependency = (...ids: string[]) => ({
  name: "flask",
  version: "0.5",
  vulns: ids.map((id) => ({ id, fix_versions: [], aliases: [], description: "Denial of service" })),
});
const skipped = { name: "shop", skip_reason: "Dependency not found on PyPI: shop (1.0)" };

testFormat(pipAudit, {
  "vulnerabilities, all of unknown severity": {
    ...sast,
    report: { dependencies: [dependency("PYSEC-1", "PYSEC-2"), dependency(), dependency("PYSEC-1")], fixes: [] },
    reads: {
      metric: "sast",
      metrics: { sast: { ...none, unknown: 3 } },
      tool: "pip-audit",
      notes: ["3 of unknown severity, not scored (--assume-severity counts them)"],
    },
  },
  none: { ...sast, report: { dependencies: [dependency()] }, reads: { metrics: { sast: none } } },
  "a dependency that was skipped": {
    ...sast,
    report: { dependencies: [skipped, dependency()], fixes: [] },
    reads: { metrics: { sast: none }, notes: ["1 dependencies were skipped"] },
  },
  "version 1, a list": {
    ...sast,
    report: [dependency("PYSEC-1"), skipped, dependency()],
    reads: { metrics: { sast: { ...none, unknown: 1 } } },
  },
  "an empty list": {
    report: "[]",
    options: { metric: "sast", format: "pip-audit" },
    reads: { metrics: { sast: none } },
  },

  "all skipped": {
    ...sast,
    report: { dependencies: [skipped], fixes: [] },
    refused: ["nothing-measured", "names no dependency that was audited"],
  },
  "no dependencies": {
    ...sast,
    report: { dependencies: [], fixes: [] },
    refused: ["nothing-measured", "names no dependency that was audited"],
  },
  "a dependency that is none": {
    report: { dependencies: [dependency(), "flask"] },
    refused: ["unreadable-report", "dependencies[1] must be an object"],
  },
  "a dependency without its list": {
    report: { dependencies: [dependency(), { name: "flask", version: "0.5" }] },
    refused: ["unreadable-report", "dependencies[1].vulns must be a list"],
  },
});
