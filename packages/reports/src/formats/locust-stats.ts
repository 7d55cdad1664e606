import { csvHeader, visitCsv } from "../csv.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format, Load } from "../format.ts";
import { loadOf, noChecks } from "../load.ts";
import { countIn, isNumber } from "../text-numbers.ts";

/**
 * `PREFIX_stats.csv` of `locust --csv PREFIX`. Only its row `Aggregated` is used, which old versions call `Total`. The
 * history of a run (`PREFIX_stats_history.csv`) is refused.
 */
export const locustStats: Format = {
  name: "locust-stats",
  title: "Locust stats CSV",
  words: ["Aggregated", "Request", "Requests", "Failures", "Average", "Median"],
  time: "none",
  metrics: ["stress_test"],
  metric: "stress_test",

  // The least after a run is the row of all requests with one request.
  looksLike({ text }) {
    if (!/^\s*"?(?:Type|Method|Timestamp)"?,/.test(text)) return false;
    const header = csvHeader(text, ",");
    const counts = ["Request Count", "# requests", "Total Request Count"];
    return header.includes("Name") && counts.some((column) => header.includes(column));
  },

  read({ text }): Facts {
    const header = csvHeader(text, ",");
    if (header.includes("Timestamp")) throw unreadable("is the history of a run: give PREFIX_stats.csv instead");
    if (!header.includes("95%")) throw unreadable("has no column 95%: Locust writes it since 0.13.4");
    const [requests, failures] = header.includes("Request Count")
      ? (["Request Count", "Failure Count"] as const)
      : (["# requests", "# failures"] as const);
    let load: Load | undefined;
    let total = { requests: 0, failures: 0 };
    const listed = { requests: 0, failures: 0, rows: 0 };
    visitCsv(text, ",", (cells, row) => {
      const type = cells("Type") ?? cells("Method");
      const counts = {
        requests: countIn(cells(requests), `${requests} in row ${row}`),
        failures: countIn(cells(failures), `${failures} in row ${row}`),
      };
      if ((type !== "" && type !== "None") || !totals.includes(cells("Name") ?? "")) {
        listed.rows++;
        listed.requests += counts.requests;
        listed.failures += counts.failures;
        return;
      }
      if (load) throw unreadable(`has a second total in row ${row}: give one run a file`);
      const p95 = cells("95%");
      total = counts;
      load = loadOf({
        requests: counts.requests,
        error_rate: counts.failures / counts.requests,
        p95_ms: isNumber(p95) ? Number(p95) : undefined,
      });
    });
    if (!load) throw unreadable("is cut off: it has no row Aggregated");
    if (listed.rows > 0 && (listed.requests !== total.requests || listed.failures !== total.failures)) {
      throw unreadable("its total contradicts its rows: their requests or failures add up to other numbers");
    }
    return { load, tool: "Locust", notes: [noChecks("Locust")] };
  },
};

/** Names of the row of all requests. */
const totals = ["Aggregated", "Total"];
