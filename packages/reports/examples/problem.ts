import { readReport } from "@maturity/reports";

const report = `[{
  "RuleID": "generic-api-key",
  "Description": "Generic API key",
  "File": "infra/queue.tf",
  "StartLine": 12,
  "Match": "key = \\"correct-horse-battery-staple\\"",
  "Secret": "correct-horse-battery-staple"
}]`;

const { problem } = readReport(report, { for: "problem" });
console.log(JSON.stringify(problem, null, 2));

// It prints:
// {
//   "count": 1,
//   "details": [
//     {
//       "file": "infra/queue.tf",
//       "line": 12,
//       "description": "Generic API key"
//     }
//   ]
// }
