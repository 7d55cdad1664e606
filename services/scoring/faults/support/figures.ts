import type { Reporter, TestModule } from "vitest/node";

/** What came of one fault. */
export interface Figures {
  rounds: number;
  /** HTTP requests sent. */
  requests: number;
  /** Answered with 200. */
  acknowledged: number;
  /** Answered with 503 and Retry-After. */
  refused: number;
  /** Not answered: the connection was refused or broke. */
  broken: number;
  /** Answered with 400, as they were faulty. */
  rejected: number;
  /** Acknowledged writes that the database does not hold. */
  lost: number;
  /** Alerts that the chat server took. */
  messages: number;
  /** Those of them that named a report that another one had named. */
  duplicates: number;
  /** The longest that a round took from the end of the fault to a 200 of every endpoint, in milliseconds. */
  backMs: number;
  /** The longest that an answer took, in milliseconds. */
  slowestMs: number;
}

declare module "vitest" {
  interface TaskMeta {
    figures?: Figures;
  }
}

export function noFigures(): Figures {
  return {
    ...{ rounds: 0, requests: 0, acknowledged: 0, refused: 0, broken: 0, rejected: 0, lost: 0 },
    ...{ messages: 0, duplicates: 0, backMs: 0, slowestMs: 0 },
  };
}

/** The figures of several faults as one. */
function total(all: readonly Figures[]): Figures {
  const sum = noFigures();
  for (const figures of all) {
    for (const name of Object.keys(sum) as (keyof Figures)[]) {
      sum[name] = name.endsWith("Ms") ? Math.max(sum[name], figures[name]) : sum[name] + figures[name];
    }
  }
  return sum;
}

/** Prints one line for each fault at the end, and a total. */
export class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const found = tests.flatMap((test) => {
      const { figures } = test.meta();
      return figures ? [{ name: test.name, figures }] : [];
    });
    const sum = { name: "total", figures: total(found.map(({ figures }) => figures)) };
    const header = ["fault", ...Object.keys(sum.figures)];
    const lines = [...found, sum].map(({ name, figures }) => [name, ...Object.values(figures).map(String)]);
    process.stdout.write(`\n${table([header, ...lines])}\n`);
  }
}

/** The first column to the left, the others to the right. */
function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ")).join("\n");
}
