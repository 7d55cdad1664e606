import { expect, test } from "vitest";
import { namesOf, unknownNames } from "./named.ts";

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
