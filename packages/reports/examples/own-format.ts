import { type Format, formats, measured, readReport } from "@maturity/reports";

/** The report of a linter of our own: a line for each finding, after a line that says what it is. */
const houseLint: Format = {
  name: "house-lint",
  title: "house-lint text",
  time: "none",
  metrics: ["sast"],
  metric: "sast",
  looksLike: ({ text }) => text.startsWith("house-lint 1\n"),
  read(document) {
    const severities = { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
    for (const line of document.lines()) {
      if (line.startsWith("error ")) severities.high++;
      else if (line.startsWith("warning ")) severities.medium++;
    }
    return { severities: measured(severities, "the line that says what it is"), tool: "house-lint" };
  },
};

const report = "house-lint 1\nerror src/cart.ts:4 no-eval\nwarning src/cart.ts:9 no-any\n";

console.log(readReport(report, { formats: [...formats, houseLint] }).metrics.sast);

// It prints:
// { critical: 0, high: 1, medium: 1, low: 0, info: 0, unknown: 0 }
