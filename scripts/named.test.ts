import { expect, test } from "vitest";
import { namesOf, unknownNames, unknownScripts } from "./named.ts";

const commands = `
| | |
|---|---|
| \`-q, --quiet\` | no notes |

### \`maturity submit [paths...]\`
| \`-m, --metric <name>\` | what it measures (MATURITY_METRIC) |

### \`maturity app list\`
| \`--area <name>\` | only of this area |

### \`maturity-service token create\`
| \`--name <name>\` | its name |
`;
const names = namesOf(commands, "| `HISTORY_DAYS` | `400` | for how many days |");

test.each([
  ["`maturity submit --metric x -q report.json | maturity app list`", []],
  ["`maturity submit --metrics x`", ["maturity submit --metrics"]],
  ["`npx maturity app lst`", ["maturity app lst"]],
  ["`maturity app`, `maturity --help` and a sentence about maturity of teams", []],
  ['`maturity-service token create --name "x --y" --quiet`', ["maturity-service token create --quiet"]],
  ["`HISTORY_DAYS=30`, `MATURITY_METRIC`, `NODE_OPTIONS`, `HISTORY_DAY`", ["HISTORY_DAY"]],
  ["```sh\n# maturity wrong\nmaturity submit \\\n  --metrc x\n```", ["maturity submit --metrc"]],
  ["```text\nmaturity wrong\n```", []],
])("%j names what is not there: %j", (page, unknown) => {
  expect(unknownNames(page, names).map(({ text }) => text)).toEqual(unknown);
});

test("a name has its line", () => {
  expect(unknownNames("\n`maturity wrong`", names)).toEqual([{ line: 2, text: "maturity wrong" }]);
});

test.each([
  ["Node and pnpm come first: `pnpm start`, `npx -p pnpm@11 pnpm vitest run`, `pnpm install --frozen-lockfile`", []],
  ["`pnpm strat`", ["pnpm strat"]],
  ["`pnpm bench memory --minutes 120`, `pnpm bench --write`", []],
  ["```sh\npnpm bench memroy # pnpm wrong\n```", ["pnpm bench memroy"]],
  ["`pnpm --filter @maturity/client generate`", []],
  ["`pnpm generate`", ["pnpm generate"]],
  ["`pnpm --filter @maturity/client start`", ["pnpm --filter @maturity/client start"]],
])("%j asks pnpm for what is not there: %j", (page, unknown) => {
  const scripts = {
    root: new Set(["start", "bench", "vitest"]),
    packages: new Set(["generate"]),
    words: { bench: new Set(["memory"]) },
  };
  expect(unknownScripts(page, scripts).map(({ text }) => text)).toEqual(unknown);
});
