import { expect, test } from "vitest";
import { type GoalKind, writtenCampaign } from "./written.ts";

/** A form with these fields. */
function formOf(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const whole = [
  ...[
    ["name", "  No\nsecrets "],
    ["why", "so"],
    ["url", ""],
    ["owner", "ann"],
  ],
  ...[
    ["starts", ""],
    ["due", "2999-01-01"],
  ],
] as const satisfies readonly (readonly [string, string])[];

const goals: Readonly<Record<GoalKind, readonly [readonly (readonly [string, string])[], object]>> = {
  metric: [
    [
      ["metric", "security.sast"],
      ["min", "80"],
    ],
    { metric: "security.sast", min: 80 },
  ],
  scorecard: [[["scorecard", "security"]], { scorecard: "security" }],
  level: [[["level", "gold"]], { level: "gold" }],
  no_open_problems: [
    [
      ["severity", "critical"],
      ["severity", "high"],
      ["problem_type", ""],
    ],
    { no_open_problems: ["critical", "high"] },
  ],
};

test.each(Object.entries(goals))(
  "what is written about the goal %s is sent, and nothing that is empty",
  (kind, [fields, goal]) => {
    const body = writtenCampaign(formOf([...whole, ...fields]), kind as GoalKind);
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      ...{ name: "No secrets", why: { text: "so" }, owner: "ann", due: "2999-01-01", goal, scope: {} },
    });
  },
);

test("a scope has what was chosen, and the lists that were written", () => {
  const scope = [
    ["area", "shop"],
    ["area", "a, b"],
    ["team", JSON.stringify({ area: "shop", team: "check / out" })],
    ["tier", "1, 2,"],
    ["labels", "kind=service, kind = worker, url=a=b, bare"],
    ["env", "prod"],
  ] as const;
  expect(writtenCampaign(formOf([...whole, ...scope]), "level")).toMatchObject({
    scope: {
      areas: ["shop", "a, b"],
      teams: [{ area: "shop", team: "check / out" }],
      tier: ["1", "2"],
      labels: { kind: ["service", "worker"], url: ["a=b"], bare: ["bare"] },
      env: ["prod"],
    },
  });
});
