import fc, { type Arbitrary } from "fast-check";
import { createEngine, defineMetric, defineScorecard, type Engine } from "../packages/core/src/index.ts";
import { scorerOf, usesOf } from "../packages/scorecard-file/src/curves.ts";
import type {
  CaseDeclaration,
  CurveDeclaration,
  InputDeclaration,
  InputDeclarations,
  MetricDeclaration,
  PointsDeclaration,
  ScorecardDeclaration,
} from "../packages/scorecard-file/src/declaration.ts";

/** Names that other code might take for something else. */
const odd = [
  "constructor",
  "to_string",
  "value_of",
  "has_own_property",
  "default",
  "class",
  "x",
  "name",
  "test",
  "raw",
];
const name = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/), fc.constantFrom(...odd));
const field = fc.oneof(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/), fc.constantFrom(...odd, "toString", "_"));
/** Texts of a line, with what has a meaning in YAML, JavaScript and templates. */
const words = fc
  .stringMatching(/^[a-zA-Z%"'`\\$#:{}*&é😀][a-zA-Z0-9 %"'`\\$#:{}]{0,20}[a-zA-Z%"'`\\${}]$/u)
  .filter((text) => !text.includes("__proto__"));
const number = fc.oneof(
  fc.integer({ min: -1_000, max: 100_000 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 1_000),
);

interface Drawn {
  readonly curve: CurveDeclaration;
  readonly inputs: InputDeclarations;
}

function pointsOver(inputs: Arbitrary<number>): Arbitrary<PointsDeclaration["points"]> {
  const score = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100);
  return fc
    .uniqueArray(inputs, { minLength: 2, maxLength: 6 })
    .chain((found) =>
      fc
        .array(score, { minLength: found.length, maxLength: found.length })
        .map((scores) =>
          found.toSorted((one, other) => one - other).map((input, index) => [input, scores[index] ?? 0] as const),
        ),
    );
}

const pair = fc.tuple(words, words);
const scaled: Arbitrary<InputDeclaration> = fc
  .tuple(fc.record({ label: words, unit: fc.oneof(words, pair) }, { requiredKeys: [] }), number, fc.nat(1_000))
  .chain(([rest, min, width]) =>
    fc.constantFrom<InputDeclaration>(rest, { ...rest, min }, { ...rest, min, max: min + width + 1 }),
  );
const counted: Arbitrary<InputDeclaration> = fc.record(
  { label: words, unit: pair, min: fc.nat(5), max: fc.integer({ min: 6, max: 1_000_000 }) },
  { requiredKeys: [] },
);

/** A curve over fields of its own, which begin with the prefix. */
function plain(prefix: string): Arbitrary<Drawn> {
  const own = field.map((text) => `${prefix}${text}`);
  const points = (key: "piecewise" | "log_piecewise", inputs: Arbitrary<number>) =>
    fc.record({ field: own, points: pointsOver(inputs), input: scaled }).map(({ field, points, input }) => ({
      curve: { [key]: { field, points } },
      inputs: { [field]: input },
    }));
  const counts = fc.dictionary(own, fc.tuple(fc.integer({ min: 1, max: 50_000 }), counted), { minKeys: 1, maxKeys: 4 });
  const flag = fc.record({ field: own, passes: fc.boolean(), pass: words, fail: words }, { requiredKeys: ["field"] });
  return fc.oneof(
    points("piecewise", number),
    points(
      "log_piecewise",
      fc.integer({ min: 1, max: 1_000_000 }).map((value) => value / 100),
    ),
    counts.map((entries) => ({
      curve: { halving: Object.fromEntries(Object.entries(entries).map(([field, [by]]) => [field, by / 100])) },
      inputs: Object.fromEntries(Object.entries(entries).map(([field, [, input]]) => [field, input])),
    })),
    fc.tuple(flag, fc.record({ label: words }, { requiredKeys: [] })).map(([flag, input]) => ({
      curve: { pass_fail: flag },
      inputs: { [flag.field]: input },
    })),
  );
}

const drawn: Arbitrary<Drawn> = fc.oneof(
  { arbitrary: plain(""), weight: 3 },
  fc.tuple(plain("a"), plain("b"), plain("c")).map((parts) => ({
    curve: { lowest_of: parts.map(({ curve }) => curve) },
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
  })),
);

/** Results of a curve that lie in the ranges of its inputs. */
export function rawsOf({
  curve,
  inputs = {},
}: Pick<MetricDeclaration, "curve" | "inputs">): Arbitrary<CaseDeclaration["raw"]> {
  const values = usesOf(curve).map(({ field, as }) => {
    const { min, max } = inputs[field] ?? {};
    if (as === "flag") return [field, fc.boolean()] as const;
    const low = Math.ceil(min ?? (as === "count" ? 0 : -1_000));
    const whole = fc.integer({ min: low, max: Math.floor(max ?? low + 10_000) });
    const ends = [min, max].filter((end) => end !== undefined);
    return [field, fc.oneof(whole, ...ends.map(fc.constant))] as const;
  });
  return fc.record(Object.fromEntries(values)) as Arbitrary<CaseDeclaration["raw"]>;
}

const about = fc.record(
  {
    name,
    title: words,
    weight: fc.integer({ min: 1, max: 1_000 }),
    max_age_hours: fc.integer({ min: 1, max: 9_000 }),
    description: fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
    help: fc.constant("https://example.com/how?to=`improve`&x='1'"),
  },
  { requiredKeys: ["name", "title"] },
);

const metric: Arbitrary<MetricDeclaration> = fc.tuple(about, drawn).chain(([about, drawn]) =>
  fc.array(rawsOf(drawn), { minLength: 1, maxLength: 4 }).map((raws): MetricDeclaration => {
    const score = scoringOf(drawn);
    return { ...about, ...drawn, cases: raws.map((raw) => ({ raw, score: score(raw) })) };
  }),
);

function scoringOf({ curve, inputs }: Drawn): (raw: object) => number {
  const metric = defineMetric({ name: "one", title: "One", inputs, score: scorerOf(curve, inputs) });
  const about = { name: "any", dimension: "run", weight: 1, package: { name: "any", version: "1" } };
  const engine: Engine = createEngine([defineScorecard({ ...about, metrics: [metric] })]);
  return (raw) => engine.score("any", "one", raw).score;
}

/** Scorecard files with right cases. */
export const anyScorecard: Arbitrary<ScorecardDeclaration> = fc.record({
  contract: fc.constant(1 as const),
  name,
  version: fc.constantFrom("1.0.0", "0.12.3-beta.1"),
  dimension: fc.constantFrom("build", "ship", "run"),
  weight: fc.integer({ min: 1, max: 1_000 }).map((value) => value / 10),
  metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
});
