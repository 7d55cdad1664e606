import type { Coverage } from "../coverage.ts";
import { unreadable } from "../errors.ts";
import type { Facts, Format } from "../format.ts";
import { countAt, entriesAt, type Fields, isObject, listAt, objectAt, textOf } from "../shape.ts";
import { singleRecord } from "../single-record.ts";

type Counts = Pick<Coverage, "covered" | "total">;

/**
 * The JSON of `llvm-cov export`, with or without `-summary-only`, which `cargo llvm-cov --json` and Xcode's `xcrun
 * llvm-cov` write too. Its layout stands in LLVM's `CoverageExporterJson.cpp`; no report of it was seen. The coverage
 * is `lines` of the totals of each entry of `data`, which LLVM computes as the sum of its files.
 */
export const llvmCov: Format = {
  name: "llvm-cov",
  title: "llvm-cov export JSON",
  words: ["llvm.coverage.json.export", "segments", "mcdc_records", "expansions", "instantiations", "notcovered"],
  time: "none",
  metrics: ["unit_coverage", "integration_coverage"],

  // The least after a run is one line of one file.
  looksLike: ({ head: [record] }) => isObject(record) && (record.type === exportType || isExport(record.data)),

  read(document): Facts {
    const { data, cargo_llvm_cov: cargo } = singleRecord(document);
    const coverage = { covered: 0, total: 0 };
    const seen = new Set<string>();
    for (const { entry, path } of entriesAt(listAt(data, "data"), "data")) {
      const { covered, total } = countsOf(entry, path, seen);
      coverage.covered += covered;
      coverage.total += total;
    }
    const version = isObject(cargo) ? textOf(cargo.version) : undefined;
    return {
      coverage: { unit: "lines", ...coverage },
      tool: isObject(cargo) ? `cargo-llvm-cov${version === undefined ? "" : ` ${version}`}` : "llvm-cov",
    };
  },
};

const exportType = "llvm.coverage.json.export";

/** Whether this is `data` of an export. LLVM sorts the members, so the type stands at the end of the file. */
function isExport(data: unknown): boolean {
  const [entry] = Array.isArray(data) ? data : [];
  const [file] = isObject(entry) && Array.isArray(entry.files) ? entry.files : [];
  return isObject(file) && ["segments", "expansions", "mcdc_records"].some((key) => key in file);
}

/**
 * The lines of an entry of `data`: of its totals, else the sum of its files.
 *
 * @param seen the names of the files of the entries before, to which those of this one are added
 * @throws ReportError if a file is there twice, or if the totals are not those of the files
 */
function countsOf(entry: Fields, path: string, seen: Set<string>): Counts {
  const sum = { covered: 0, total: 0 };
  for (const { entry: file, path: at } of entriesAt(listAt(entry.files, `${path}.files`), `${path}.files`)) {
    const name = textOf(file.filename);
    if (name === undefined) throw unreadable(`${at}.filename must be a text`);
    if (seen.has(name)) throw unreadable(`${at} is a file that is there before: merge the profiles, and export once`);
    seen.add(name);
    const { covered, total } = linesOf(file.summary, `${at}.summary`);
    sum.covered += covered;
    sum.total += total;
  }
  if (entry.totals === undefined) return sum;
  const totals = linesOf(entry.totals, `${path}.totals`);
  if (totals.covered !== sum.covered || totals.total !== sum.total) {
    throw unreadable(`${path}.totals.lines is not the sum of its files`);
  }
  return totals;
}

function linesOf(summary: unknown, path: string): Counts {
  const { count, covered } = objectAt(objectAt(summary, path).lines, `${path}.lines`);
  return { covered: countAt(covered, `${path}.lines.covered`), total: countAt(count, `${path}.lines.count`) };
}
