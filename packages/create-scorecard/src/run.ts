import { basename, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type Answers,
  checkAnswers,
  readCi,
  readMetric,
  readRegistry,
  scorecardOf,
  UnusableAnswer,
} from "./answers.ts";
import { ask, NoAnswer, type Terminal } from "./ask.ts";
import { filesOf } from "./files.ts";
import { examples } from "./template/metrics.ts";
import { writeAll } from "./write.ts";

/** What the program has of the world. */
export interface World {
  readonly cwd: string;
  /** Where a person answers, if one is there. */
  readonly terminal: Terminal | undefined;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

const usage = `Usage: npm create @maturity/scorecard [PACKAGE] [-- OPTIONS]

Writes a package with a scorecard of Maturity: metrics, their tests, a pipeline and a preview. Without PACKAGE it asks.

  PACKAGE              name of the package, such as @acme/cost
  --scorecard NAME     name of the scorecard; default is made of the package's
  --value NAME[.FIELD] a metric that scores a value, read from FIELD; may be given several times
  --count NAME[.FIELD] a metric that scores how many of something there are; may be given several times;
                       a metric of several inputs is NAME.FIELD+FIELD
  --dimension NAME     build, ship, run (default) or a word of your own
  --weight NUMBER      weight of the scorecard beside the others (default 20)
  --folder PATH        where to write it; default is the last part of PACKAGE
  --ci NAME            whose pipelines test it: github (default), gitlab or none
  --registry URL       the npm registry of Maturity's packages and of PACKAGE's scope; is written into .npmrc
  -h, --help           prints this

Without --value and --count it writes two metrics as examples.
`;

const options = {
  scorecard: { type: "string" },
  value: { type: "string", multiple: true },
  count: { type: "string", multiple: true },
  dimension: { type: "string", default: "run" },
  weight: { type: "string", default: "20" },
  folder: { type: "string" },
  ci: { type: "string" },
  registry: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

/**
 * Runs the program.
 *
 * @returns its exit code: 0, or 2 where an argument or an answer cannot be used, or 1 where it cannot write; then nothing is
 * written
 */
export async function run(argv: readonly string[], world: World): Promise<number> {
  try {
    const { values, positionals } = readArguments(argv);
    if (values.help) {
      world.stdout.write(usage);
      return 0;
    }
    const [name, ...more] = positionals;
    if (more.length > 0) throw new UnusableAnswer(`one PACKAGE is enough; got ${positionals.join(" ")} as well`);
    const answers = await complete(name, values, world.terminal);
    const folder = resolve(world.cwd, values.folder ?? basename(answers.package));
    const files = filesOf(answers);
    await writeAll(folder, files, world.cwd);
    world.stdout.write(closing(answers.package, relative(world.cwd, folder), Object.keys(files)));
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAnswer = error instanceof UnusableAnswer || error instanceof NoAnswer;
    world.stderr.write(`create-scorecard: ${error.message}; nothing is written\n`);
    return isAnswer ? 2 : 1;
  }
}

type Values = ReturnType<typeof readArguments>["values"];

function readArguments(argv: readonly string[]) {
  try {
    // npm takes the dashes before the options for itself; npx hands them on.
    return parseArgs({ args: argv.filter((one) => one !== "--"), options, allowPositionals: true });
  } catch (error) {
    throw new UnusableAnswer(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function complete(name: string | undefined, values: Values, terminal: Terminal | undefined): Promise<Answers> {
  if (name === undefined && !terminal) {
    throw new UnusableAnswer("give the name of the package: npm create @maturity/scorecard @acme/cost");
  }
  const given = [
    ...(values.value ?? []).map((text) => readMetric("value", text)),
    ...(values.count ?? []).map((text) => readMetric("count", text)),
  ];
  const asked = name === undefined && terminal ? await ask(terminal) : undefined;
  const packageName = asked?.package ?? name ?? "";
  const metrics = [...given, ...(asked?.metrics ?? [])];
  const answers = {
    package: packageName,
    scorecard: values.scorecard ?? asked?.scorecard ?? scorecardOf(packageName),
    dimension: values.dimension,
    weight: Number(values.weight),
    metrics: metrics.length > 0 ? metrics : examples,
    ci: values.ci === undefined ? (asked?.ci ?? "github") : readCi(values.ci),
    registry: values.registry === undefined ? undefined : readRegistry(values.registry),
  };
  checkAnswers(answers);
  return answers;
}

function closing(name: string, folder: string, paths: readonly string[]): string {
  const list = [...paths].sort().map((path) => `  ${path}\n`);
  const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
  return `wrote ${name} into ${folder}:
${list.join("")}
Now:
  cd ${quoted}
  npm install
  npm test

Then give index.js your inputs and curves, and index.test.js the scores that you expect of them.
npm publish ships the package. A service loads it where it is installed and SCORECARDS names ${name}.
`;
}
