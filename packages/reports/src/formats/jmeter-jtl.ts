import { csvHeader, visitCsv } from "../csv.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { loadOf, noChecks } from "../load.ts";
import { Samples } from "../samples.ts";
import { countIn } from "../text-numbers.ts";

/**
 * JMeter's results as CSV (`jmeter -n -l results.jtl`): a header, then one row a sample, with any delimiter. Every row
 * counts as a request, also that of a transaction controller, which JMeter's dashboard leaves out. The 95th percentile is
 * by nearest rank.
 */
export const jmeterJtl: Format = {
  name: "jmeter-jtl",
  title: "JMeter results (JTL)",
  metrics: ["stress_test"],

  looksLike({ root, text }) {
    return root?.name === "testResults" || delimiterOf(text) !== undefined || headless.test(text);
  },

  read({ root, text }): Facts {
    if (root) throw unreadable("is XML: save it as CSV (jmeter.save.saveservice.output_format=csv)");
    const delimiter = delimiterOf(text);
    if (delimiter === undefined) {
      throw unreadable("has no header line: write one (jmeter.save.saveservice.print_field_names=true)");
    }
    if (!csvHeader(text, delimiter).includes("success")) {
      throw unreadable("has no column success: save it (jmeter.save.saveservice.successful=true)");
    }
    const elapsed = new Samples();
    let failed = 0;
    let transactions = 0;
    visitCsv(text, delimiter, (cells, row) => {
      elapsed.push(countIn(cells("elapsed"), `elapsed in row ${row}`));
      const success = cells("success");
      if (success !== "true" && success !== "false") throw unreadable(`success in row ${row} must be true or false`);
      if (success === "false") failed++;
      if (cells("responseMessage")?.startsWith("Number of samples in transaction")) transactions++;
    });
    return {
      load: loadOf({
        requests: elapsed.length,
        error_rate: failed / elapsed.length,
        p95_ms: elapsed.percentile(95),
      }),
      tool: "JMeter",
      notes: [
        noChecks("JMeter"),
        ...(transactions > 0
          ? [
              `transaction controllers count as requests (${transactions} rows); JMeter's statistics.json leaves them out`,
            ]
          : []),
      ],
    };
  },
};

/** A row without header: the time in milliseconds, then how long the sample took. */
const headless = /^\s*\d{13}([^\w\s]|\t)\d+\1/;

/** What stands between the names of the columns; undefined when the first line is no header of JMeter's. */
function delimiterOf(text: string): string | undefined {
  const [, delimiter] = /^\s*"?[A-Za-z]+"?([^\w\s"]|\t)/.exec(text) ?? [];
  if (delimiter === undefined) return undefined;
  const header = csvHeader(text, delimiter);
  const known = ["timeStamp", "label", "responseCode", "success"].filter((column) => header.includes(column));
  return header.includes("elapsed") && known.length > 1 ? delimiter : undefined;
}
