import { expect, test } from "vitest";
import { useForge } from "./support/forges.ts";
import { gatedService, sast } from "./support/gated-service.ts";

const service = gatedService();

test.each(["GitHub", "GitLab"] as const)(
  "a comment on %s has the scores before and after, what to fix first, and the Board",
  async (name) => {
    const forge = await useForge(name);
    const run = () => service.maturity(["gate", "--no-worse", ...sast(6), "--comment"], {}, { env: forge.env });
    expect(await run()).toMatchObject({ code: 1, stderr: "" });
    const { body = "" } = forge.comments[0] ?? {};
    const board = `${service.url}/board/?env=prod&area=shop&team=checkout&app=cart`;
    expect(body).toContain(`, see [the Board](<${board}>)\n\n- ❌ no worse than stored: not met\n`);
    expect(body).toContain("\n| `sast` | 50 | 35.36 | −14.64 |\n\nthe application scores 61.7, and 58.3 with this\n");
    expect(body).toContain(
      "<details><summary>Why</summary>\n\n**`sast`**\n\n- 6 high findings leave 35 % of the score;",
    );
    expect(body).toContain("\nWhat to fix first:\n\n- `sla` 50 → 100 gains 26.7 points\n");
    expect(forge.statuses[0]?.body).toMatchObject({
      ...{ target_url: board, description: "gate not met: no worse than stored" },
    });
  },
);

test("the score before is there where no condition asks for it", async () => {
  const forge = await useForge("GitHub");
  const argv = ["gate", "--min", "10", ...sast(6), "--comment"];
  const { code, stdout } = await service.maturity(argv, {}, { env: forge.env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("stored") });
  expect(forge.comments[0]?.body).toContain("\n| `sast` | 50 | 35.36 | −14.64 |\n");
});

test("a service that does not answer decides nothing where no condition asks it", async () => {
  const forge = await useForge("GitHub");
  const env = { ...forge.env, MATURITY_URL: "http://127.0.0.1:1" };
  const argv = ["gate", "--min", "10", ...sast(6), "--comment", "--timeout", "1"];
  expect(await service.maturity(argv, {}, { env })).toMatchObject({ code: 0 });
  expect(forge.comments[0]?.body).toContain("\n| `sast` |  | 35.36 |  |\n");
});

test("submit --gate does the same, and stores; with --dry-run it does neither", async () => {
  const forge = await useForge("GitLab");
  const argv = ["submit", "--gate", "--no-worse", "--app", "trolley", "--comment"];
  const dry = await service.maturity([...argv, "--dry-run", ...sast(4)], {}, { env: forge.env });
  expect({ code: dry.code, asked: forge.asked }).toEqual({ code: 0, asked: [] });
  await service.maturity([...argv, ...sast(4)], {}, { env: forge.env });
  const { code } = await service.maturity([...argv, ...sast(6)], {}, { env: forge.env });
  expect({ code, comments: forge.comments.length }).toEqual({ code: 1, comments: 1 });
  expect(forge.comments[0]?.body).toContain("\n| `sast` | 50 | 35.36 | −14.64 |\n");
  expect(forge.statuses.map(({ body }) => body.state)).toEqual(["success", "failed"]);
});

test("submit --gate whose results are refused shows that, and without --comment nothing", async () => {
  const forge = await useForge("GitHub");
  const refused = { statusCode: 403, code: "forbidden", message: "out of bounds" };
  const fetch = async (request: Request) =>
    new URL(request.url).pathname === "/score" ? Response.json(refused, { status: 403 }) : globalThis.fetch(request);
  const argv = ["submit", "--gate", "--min", "10", ...sast(4)];
  expect(await service.maturity(argv, {}, { env: forge.env, fetch })).toMatchObject({ code: 3 });
  expect(forge.asked).toEqual([]);
  expect(await service.maturity([...argv, "--comment"], {}, { env: forge.env, fetch })).toMatchObject({ code: 3 });
  expect(forge.comments[0]?.body).toContain("### Maturity: the run failed\n\n");
  expect(forge.statuses.map(({ body }) => body.description)).toEqual(["the run failed: out of bounds"]);
});
