import { expect, test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { expectUnharmed, useScene } from "./support/scene.ts";

/** Clients that ask without pause. */
const senders = 400;

/** How many of them are answered in a round. */
const answersOfRound = 600;

const cart = { area: "flood", team: "checkout", app: "cart" };

/** What is asked, by the number of the request. */
const floods: Readonly<Record<string, (number: number) => readonly [method: string, path: string, body?: object]>> = {
  "dry runs of moves": () => [
    "POST",
    "/apps/move",
    { from: { area: "load" }, to: { area: "elsewhere" }, dry_run: true },
  ],
  "moves that cannot be": (number) => [
    "POST",
    "/apps/move",
    { from: { area: `nowhere-${number}` }, to: { area: "x" } },
  ],
  "reads of the audit": () => ["GET", "/audit"],
  waivers: () => [
    "POST",
    "/waivers",
    { kind: "not_applicable", area: "load", scorecard: "security", reason: "none", owner: "ann" },
  ],
  "entries of the registry": (number) => ["PUT", "/registry", { ...cart, app: `app-${number}` }],
};

/** Asks until there were so many answers. Each says what became of it, or that there is too much to do. */
async function flood(address: string, ask: (typeof floods)[string], first: number): Promise<void> {
  let left = answersOfRound;
  const send = async () => {
    while (left-- > 0) {
      const [method, path, body] = ask(first + left);
      const answer = await fetch(`${address}${path}`, {
        method,
        ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isKnown =
        [200, 201, 404, 409].includes(answer.status) || (answer.status === 503 && answer.headers.has("retry-after"));
      expect(isKnown, text).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

for (const [what, ask] of Object.entries(floods)) {
  test(`a flood of ${what}`, async (context) => {
    const { url: databaseUrl } = await useOwnPostgres();
    const scene = await useScene(context, { databaseUrl });
    for (let round = 0; round < 2; round++) {
      await scene.round(async () => {
        for (const { address } of scene.instances) await flood(address, ask, round * answersOfRound);
      });
    }
    await scene.finish();
    expectUnharmed(scene);
  });
}
