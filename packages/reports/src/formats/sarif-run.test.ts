import { log, result, run } from "../../test/support/sarif.ts";
import { testFormat } from "../../test/support/test-format.ts";
import { sarif } from "./sarif.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 };

testFormat(sarif, {
  "results in other files": {
    report: log(
      run([], { name: "CodeQL" }, { externalPropertyFileReferences: { results: [{ location: { uri: "a.sarif" } }] } }),
    ),
    refused: ["unreadable-report", "runs[0].externalPropertyFileReferences says that its results stand elsewhere"],
  },
  "all results in other files": {
    report: log(
      run(
        undefined,
        {},
        { externalPropertyFileReferences: { results: [{ location: { uri: "a.sarif" }, itemCount: 9 }] } },
      ),
    ),
    refused: ["unreadable-report", "its results stand elsewhere"],
  },
  "results outside of the runs": {
    report: { ...log(run([], { name: "CodeQL" })), inlineExternalProperties: [{ runGuid: "1", results: [result()] }] },
    refused: ["unreadable-report", "inlineExternalProperties says that its results stand elsewhere"],
  },
  "taxonomies in other files, as Flawfinder has them": {
    report: {
      ...log(run([], { name: "Flawfinder" }, { externalPropertyFileReferences: { taxonomies: [{}], results: [] } })),
      inlineExternalProperties: [{ guid: "1" }],
    },
    reads: { metric: "sast", metrics: { sast: none } },
  },
  "a run without results": {
    report: log(run([]), run(undefined, { name: "CodeQL" })),
    refused: ["failed-scan", "runs[1].results is missing: the tool did not scan"],
  },
  "a run that failed": {
    report: log(run([], {}, { invocations: [{ executionSuccessful: false }] })),
    refused: ["failed-scan", "runs[0] says that the tool failed, and has no results"],
  },
  "a run that failed after it had found something": {
    report: log(run([result()], {}, { invocations: [{ executionSuccessful: false }] })),
    reads: {
      metrics: { sast: { ...none, medium: 1 } },
      warnings: ["the report says that the tool failed, so it may not have seen everything"],
    },
  },
  "a run that ended with another exit code than 0": {
    report: log(run([], { name: "CodeQL" }, { invocations: [{ executionSuccessful: true, exitCode: 2 }] })),
    refused: ["failed-scan", "runs[0] says that the tool failed"],
  },
  "Bandit that could not read a file, and has no results": {
    report: log(
      run([], { name: "Bandit" }, { invocations: [{ toolConfigurationNotifications: [{ level: "error" }] }] }),
    ),
    refused: ["failed-scan", "runs[0] says that the tool failed"],
  },
  "any tool with an error and no results": {
    report: log(run([], {}, { invocations: [{ toolExecutionNotifications: [{ level: "error" }] }] })),
    refused: ["failed-scan", "runs[0] says that the tool failed"],
  },
  "any tool with a warning and no results": {
    report: log(run([], {}, { invocations: [{ exitCode: 0, toolExecutionNotifications: [{ level: "warning" }] }] })),
    reads: { metrics: { sast: none } },
  },
  "Semgrep with an error and no results": {
    report: log(
      run(
        [],
        { name: "Semgrep OSS" },
        {
          invocations: [{ executionSuccessful: true, toolExecutionNotifications: [{ level: "error" }] }],
        },
      ),
    ),
    refused: ["failed-scan", "runs[0] says that the tool failed"],
  },
});
