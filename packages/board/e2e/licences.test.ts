import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { useBoard } from "./support/browser.ts";

/** Those whose code is in the script. What else `package.json` names only builds and tests. */
const bundled = ["preact", "@preact/signals"] as const satisfies readonly (keyof typeof packageJson.devDependencies)[];

test("the document names the licences of what is in its script, and they are there", async () => {
  const { server } = await useBoard();
  const { payload: document } = await server.inject("/board/");
  const address = /<link rel="license" href="([^"]+)">/.exec(document)?.[1];
  const { statusCode, headers, payload: licences } = await server.inject(`/board/${address}`);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  for (const name of [...bundled, "@preact/signals-core"]) expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
  expect(licences.match(/^Copyright \(c\) /gm)).toHaveLength(bundled.length + 1);
  expect(licences.match(/The above copyright notice and this permission notice shall be included/g)).toHaveLength(3);
});
