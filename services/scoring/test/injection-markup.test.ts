import { expect, test } from "vitest";
import { useChatServer } from "./support/chat-server.ts";
import { score, series } from "./support/injected.ts";
import { report } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { until, useService } from "./support/service.ts";

test("label injection: quotes, backslashes and what looks like an escape stay within their label", async () => {
  const service = await useService();
  const forgeries = [
    'a",app="b',
    'x"} 100\\nmaturity_score{area="forged',
    "\\",
    '\\"',
    "\\n",
    '\\\\"',
    "}",
    '"} 1 # {',
    "a\\",
  ];
  for (const name of forgeries) {
    const names = { area: name, team: name, app: name, env: name };
    expect(await post(service, "/score", { ...score, ...names })).toMatchObject({ status: 200 });
    expect(await report(service, { ...names, problem_type: name })).toMatchObject({ status: 200 });
  }
  const samples = await series(service);
  expect(samples).toHaveLength(2 * forgeries.length);
  for (const name of forgeries) {
    const labels = { area: name, team: name, app: name, env: name };
    const { scorecard, metric } = score;
    expect(samples).toContainEqual({ name: "maturity_score", labels: { ...labels, scorecard, metric }, value: 100 });
    const found = { ...labels, problem_type: name, severity: "high" };
    expect(samples).toContainEqual({ name: "maturity_problem_count", labels: found, value: 2 });
  }
  for (const lineEnd of ["\n", "\r", "\u0085"]) {
    expect(await post(service, "/score", { ...score, app: `a${lineEnd}b` })).toMatchObject({ status: 400 });
  }
});

test("chat mark-up injection: what came from a report mentions nobody and links nowhere", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  const markup = "<!channel> <!here> <@U1> <#C1> <http://x|y> & &lt;!channel&gt; <!subteam^S1>";
  const names = { area: markup, team: markup, app: markup, env: markup, problem_type: markup };
  expect(await report(service, { ...names, details: [{ file: markup, description: markup }] })).toMatchObject({
    alert: "queued",
  });
  await until(() => chat.messages().length === 1);
  const text = chat.messages()[0]?.text ?? "";
  expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  expect(text.match(/&lt;!channel&gt;/g)).toHaveLength(7);
  expect(text.match(/&amp;lt;!channel&amp;gt;/g)).toHaveLength(7);
});
