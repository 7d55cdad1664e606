import { test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { expectUnharmed, useScene } from "./support/scene.ts";

const list = (length: number, text: (index: number) => string) =>
  Array.from({ length }, (_, index) => text(index)).join();
const fields = (count: number) => list(count, (index) => `"f${index}":0`);
const target = '"area":"a","team":"t","app":"hostile","env":"e"';
const score = `${target},"scorecard":"security","metric":"image_scan"`;
const problem = `${target},"problem_type":"x","severity":"low","count":1000`;

/** Bodies of up to a mebibyte, each of which held the event loop for long. */
const hostile: readonly (readonly [path: string, body: string])[] = [
  ["/problem/scan-result", `{${problem},"details":[${list(1_000, () => `{"file":"x",${fields(99)}}`)}]}`],
  ["/problem/scan-result", `{${problem},"details":[${list(300_000, () => "{}")}]}`],
  ["/score", `{${score},"raw":{${fields(90_000)}}}`],
  ["/score", `{${score},"raw":{"l":[${list(450_000, () => "0")}]}}`],
  ["/score", `{${score},"raw":{"l":${"[".repeat(500_000)}`],
  ["/score", `{${score},${fields(80_000)}}`],
  ["/scores", `{"scores":[${list(1_000, () => `{${fields(99)}}`)}]}`],
  [
    "/scores",
    `{"scores":[${list(1_000, (index) => `{${score},"raw":{${list(80, (key) => `"${index}.${key}":0`)}}}`)}]}`,
  ],
];

test("hostile bodies come beside the load", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url });
  const [address] = scene.instances.map((instance) => instance.address);
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      for (const [path, body] of hostile) {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${address}${path}`, { method: "POST", headers, body });
        const text = await answer.text();
        context.expect(answer.status, `${path} ${body.slice(0, 100)}`).toBe(400);
        context.expect(text.length).toBeLessThan(150_000);
      }
    });
  }
  await scene.finish();
  expectUnharmed(scene);
});
