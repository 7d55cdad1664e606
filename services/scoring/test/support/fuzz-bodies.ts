import fc from "fast-check";
import { edgesOfRaw } from "./bad-raw.ts";
import { astral, hostileNames } from "./hostile-names.ts";

/** JSON as it is written, so that keys can stand twice and values be no JSON at all. */
type Node =
  | { readonly kind: "object"; entries: [key: string, value: Node][] }
  | { readonly kind: "list"; items: Node[] }
  | { readonly kind: "text"; text: string };

/** Values that something may take for another one, or choke on, as JSON text. */
const hostileTexts: readonly string[] = [
  ...["null", "true", "false", "0", "1", "-0", "-1", "0.1", "1.5", "100", "101", "1e9", "1e10", "2147483648", "5e-324"],
  ...["1e308", "1e400", "-1e400", "9007199254740993", "0.30000000000000004", "1".repeat(400), "-0.0", "1E+2"],
  ...["NaN", "Infinity", "undefined", "01", "+1", ".5", "0x10", "'a'", "a", "", "// c", "1,", "[1,]", "{,}"],
  ...["[]", "{}", "[[]]", "[null]", '{"a":1}', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}'],
  ...['"\\ud800"', '"a\\udc00"', '"\\udc00\\ud800"', '"\\u0000"', '"a\\u0000b"', '"\\u001b[31m"', '"\\n"', '"\\u0085"'],
  ...[
    '"\u0001"',
    '"\n"',
    '"\\x41"',
    '"\\u12"',
    '"open',
    '""',
    '" "',
    '" a"',
    '"a\\t"',
    '"\u00a0"',
    '"\ufeffa"',
    '"NaN"',
  ],
  ...['"high"', '"HIGH"', '"security"', '"dast"', '"2020-01-01T00:00:00Z"'],
  "[".repeat(31) + "]".repeat(31),
  "[".repeat(33) + "]".repeat(33),
  "[".repeat(20_000) + "]".repeat(20_000),
  `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
  ...[199, 200, 201, 2_048, 2_049, 100_000].map((length) => JSON.stringify("a".repeat(length))),
  ...[1, 2, 3].map((seed) => JSON.stringify(astral(seed))),
  JSON.stringify("\u{1f600}".repeat(201)),
  ...hostileNames.map((name) => JSON.stringify(name)),
];

const hostileKeys: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "length", "", " ", "\0", "a\0"],
  ...["\ud800", "\n", "\u001b[2J", "area", "raw", "score", "reported_at", "key", "labels", "x".repeat(50_000)],
];

const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }).map((text) => JSON.stringify(text)) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => JSON.stringify(text)),
  },
  { weight: 2, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** What happens at one place of a body. */
const mutation = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom("replace", "replace", "replace", "remove", "add", "double", "wrap"),
  text: hostileText,
  key: fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ unit: "grapheme", maxLength: 10 })),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

/** What happens to the bytes in the end; most of the time nothing. */
const damage = fc.oneof(
  { weight: 12, arbitrary: fc.constant((bytes: Buffer) => bytes) },
  { weight: 1, arbitrary: fc.nat(1_000).map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(10_000), fc.uint8Array({ minLength: 1, maxLength: 6 }))
      .map(([at, put]) => (bytes: Buffer) => {
        const place = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place)]);
      }),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((random) => () => Buffer.from(random)) },
);

/** Bodies: valid ones, changed at up to three places and at times damaged as bytes. */
export function bodies(valid: fc.Arbitrary<object>): fc.Arbitrary<Buffer> {
  const few = fc.oneof(fc.constant(0), fc.constant(1), fc.integer({ min: 1, max: 3 }));
  const mutations = few.chain((length) => fc.array(mutation, { minLength: length, maxLength: length }));
  return fc.tuple(valid, mutations, damage).map(([body, changes, break_]) => {
    const root = nodeOf(body);
    for (const change of changes) mutate(root, change);
    return break_(Buffer.from(print(root)));
  });
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) return { kind: "list", items: value.map(nodeOf) };
  if (typeof value === "object" && value !== null) {
    return { kind: "object", entries: Object.entries(value).map(([key, child]) => [key, nodeOf(child)]) };
  }
  return { kind: "text", text: JSON.stringify(value) };
}

function print(node: Node): string {
  if (node.kind === "text") return node.text;
  if (node.kind === "list") return `[${node.items.map(print).join()}]`;
  return `{${node.entries.map(([key, value]) => `${JSON.stringify(key)}:${print(value)}`).join()}}`;
}

/** Changes one of the places below the node. */
function mutate(root: Node, { at, how, text, key }: Mutation): void {
  const places = [...placesOf(root)];
  const place = places[at % places.length];
  if (!place) return;
  const { node, index } = place;
  const hostile: Node = { kind: "text", text };
  if (node.kind === "list") {
    const former = node.items[index] ?? hostile;
    if (how === "remove") node.items.splice(index, 1);
    else if (how === "double" || how === "add") node.items.push(how === "add" ? hostile : former);
    else node.items[index] = how === "wrap" ? { kind: "list", items: [former] } : hostile;
  } else if (node.kind === "object") {
    const [name, former] = node.entries[index] ?? [key, hostile];
    if (how === "remove") node.entries.splice(index, 1);
    else if (how === "add") node.entries.push([key, hostile]);
    else if (how === "double") node.entries.push([name, hostile]);
    else node.entries[index] = [name, how === "wrap" ? { kind: "list", items: [former] } : hostile];
  }
}

function* placesOf(node: Node): Generator<{ node: Node; index: number }> {
  const children =
    node.kind === "list" ? node.items : node.kind === "object" ? node.entries.map(([, value]) => value) : [];
  for (const [index, child] of children.entries()) {
    yield { node, index };
    yield* placesOf(child);
  }
}

/** A name that something on the way might break, or a usual one. */
export const someName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.constantFrom("shop", "checkout", "prod"),
  fc.nat(1_000_000).map((number) => `name-${number}`),
);

const names = { area: someName, team: someName, app: someName, env: someName };

/** Bodies that POST /score takes. */
export const validScore: fc.Arbitrary<object> = fc
  .record({
    ...names,
    metric: fc.constantFrom(...edgesOfRaw()),
    more: fc.record({ pipeline_id: someName, project_repo: someName }, { requiredKeys: [] }),
    extra: fc.option(
      fc.dictionary(fc.constantFrom("scanner", "version", "a b"), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 2 }),
    ),
  })
  .map(({ metric: { metric: path, raw }, more, extra, ...target }) => {
    const [scorecard, metric] = path.split(".");
    return { ...target, scorecard, metric, raw: { ...raw, ...extra }, ...more };
  });

/** Bodies that POST /scores takes. */
export const validScores: fc.Arbitrary<object> = fc
  .array(validScore, { minLength: 1, maxLength: 5 })
  .map((scores) => ({ scores }));

/** Bodies that POST /problem/scan-result takes. */
export const validProblem: fc.Arbitrary<object> = fc
  .record({
    ...names,
    problem_type: someName,
    severity: fc.constantFrom("critical", "High", "MEDIUM", "low", "info"),
    count: fc.integer({ min: 3, max: 2_147_483_647 }),
    more: fc.record(
      {
        details: fc.array(
          fc.record({ file: someName, line: fc.nat(), description: someName }, { requiredKeys: ["file"] }),
          { maxLength: 3 },
        ),
        chat_channel: someName,
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ more, ...problem }) => ({ ...problem, ...more }));
