import { csvHeader, visitCsv } from "../csv.ts";
import { ReportError, unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { loadOf, noChecks } from "../load.ts";
import { Samples } from "../samples.ts";
import { countIn } from "../text-numbers.ts";

/**
 * The results of JMeter as CSV (`jmeter -n -l results.jtl`), with any delimiter: a header, then a row for each sample.
 * XML and files without a header are refused. The figures equal the `Total` of JMeter's dashboard, but over all
 * samples, where the dashboard takes the last 20,000. So the rows of transaction controllers are left out, because
 * they repeat the requests inside of them, and the percentile is computed in the same way.
 */
export const jmeterJtl: Format = {
  name: "jmeter-jtl",
  title: "JMeter results (JTL)",
  words: ["timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "testResults"],
  time: { fields: ["timeStamp"] },
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is one row below the header.
  looksLike({ root, text }) {
    return root?.name === "testResults" || delimiterOf(text) !== undefined || headless.test(text);
  },

  read({ root, text }): Facts {
    if (root) throw unreadable("is XML: save it as CSV (jmeter.save.saveservice.output_format=csv)");
    const delimiter = delimiterOf(text);
    if (delimiter === undefined) {
      throw unreadable("has no header line: write one (jmeter.save.saveservice.print_field_names=true)");
    }
    const header = csvHeader(text, delimiter);
    if (!header.includes("success")) {
      throw unreadable("has no column success: save it (jmeter.save.saveservice.successful=true)");
    }
    const elapsed = new Samples();
    let failed = 0;
    let transactions = 0;
    const times: (string | undefined)[] = [];
    visitCsv(text, delimiter, (cells, row, isFirst) => {
      // JMeter writes a row when its sample ends, so the last one of a run shows its end.
      times[isFirst ? times.length : times.length - 1] = cells("timeStamp");
      const milliseconds = countIn(cells("elapsed"), `elapsed in row ${row}`);
      const success = cells("success");
      if (success !== "true" && success !== "false") throw unreadable(`success in row ${row} must be true or false`);
      if (cells("responseMessage")?.startsWith("Number of samples in transaction")) {
        transactions++;
        return;
      }
      elapsed.push(milliseconds);
      if (success === "false") failed++;
    });
    if (elapsed.length === 0 && transactions > 0) throw new ReportError("nothing-measured", onlyTransactions);
    return {
      load: loadOf({
        requests: elapsed.length,
        error_rate: failed / elapsed.length,
        p95_ms: elapsed.percentile(95),
      }),
      times,
      tool: "JMeter",
      notes: [
        noChecks("JMeter"),
        transactions > 0 && `${transactions} rows of transaction controllers, not counted`,
        !header.includes("responseMessage") &&
          "there is no column responseMessage, so rows of transaction controllers count as requests",
      ].filter((note) => note !== false),
    };
  },
};

const onlyTransactions =
  "measured nothing: all its rows are of transaction controllers; let them write their requests (TransactionController.parent=false)";

/** The first row of a file without header: the time in milliseconds, then the duration of the sample. */
const headless = /^\s*\d{13}([^\w\s]|\t)\d+\1/;

/** The delimiter of the header. Undefined if the first line is no header of JMeter. */
function delimiterOf(text: string): string | undefined {
  const [, delimiter] = /^\s*"?[A-Za-z]+"?([^\w\s"]|\t)/.exec(text) ?? [];
  if (delimiter === undefined) return undefined;
  const header = csvHeader(text, delimiter);
  const known = ["timeStamp", "label", "responseCode", "success"].filter((column) => header.includes(column));
  return header.includes("elapsed") && known.length > 1 ? delimiter : undefined;
}
