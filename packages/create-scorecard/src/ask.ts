import { createInterface } from "node:readline";
import {
  type Answers,
  checkAnswers,
  checkPackageName,
  readCi,
  readMetric,
  scorecardOf,
  UnusableAnswer,
} from "./answers.ts";
import { examples } from "./template/metrics.ts";

/** Where a person answers. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** The person ended the input, or interrupted it. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Asks a person. An answer that cannot be used gets the reason, and the question again.
 *
 * @throws NoAnswer
 */
export async function ask(terminal: Terminal): Promise<Pick<Answers, "package" | "scorecard" | "metrics" | "ci">> {
  let isOpen = true;
  const reader = createInterface(terminal).once("close", () => {
    isOpen = false;
  });
  // Keeps what was typed, or pasted, before it is asked for.
  const lines = reader[Symbol.asyncIterator]();
  const put = async <T>(question: string, read: (answer: string) => T): Promise<T> => {
    for (;;) {
      reader.setPrompt(question);
      if (isOpen) reader.prompt();
      const { done, value: answer } = await lines.next();
      if (done) throw new NoAnswer("the answers ended");
      try {
        return read(answer.trim());
      } catch (error) {
        if (!(error instanceof UnusableAnswer)) throw error;
        terminal.output.write(`${error.message}\n`);
      }
    }
  };
  try {
    const name = await put("Package, such as @acme/cost: ", (answer) => {
      checkPackageName(answer);
      return answer;
    });
    const rest = { package: name, dimension: "run", weight: 1, ci: "none", registry: undefined } as const;
    const proposed = scorecardOf(name);
    const scorecard = await put(`Scorecard${proposed && ` [${proposed}]`}: `, (answer) => {
      const scorecard = answer || proposed;
      checkAnswers({ ...rest, scorecard, metrics: examples });
      return scorecard;
    });
    const values = await put("Metrics of a value, such as budget.spent_pct: ", (answer) =>
      metrics("value", answer, []),
    );
    const all = await put("Metrics of a count, such as idle_resources.idle: ", (answer) =>
      metrics("count", answer, values),
    );
    const ci = await put("Pipelines of github, gitlab or none [github]: ", (answer) => readCi(answer || "github"));
    return { package: name, scorecard, metrics: all, ci };

    function metrics(kind: "value" | "count", answer: string, before: Answers["metrics"]): Answers["metrics"] {
      const read = answer.split(/[\s,]+/).filter(Boolean);
      const metrics = [...before, ...read.map((text) => readMetric(kind, text))];
      if (metrics.length > 0) checkAnswers({ ...rest, scorecard, metrics });
      return metrics;
    }
  } finally {
    reader.close();
  }
}
