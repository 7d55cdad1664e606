import { randomUUID } from "node:crypto";
import { createClient, type Waiver } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import type { Scope } from "../../../services/scoring/src/model/grant.ts";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService({ auth: "token" });
beforeAll(() => makeKnown(service, { area: "one" }, { area: "two" }, { area: "three" }));
const why = ["--for", "30d", "--reason", "new staging in spring", "--owner", "ann"];

/** Somebody with a token, who calls the program. */
async function caller(name: string, ...scopes: Scope[]) {
  const token = createToken();
  await insertToken(service.database.knex, { name, hash: hashToken(token), scopes, bounds: {} });
  const client = createClient({ url: service.url, token });
  return {
    client,
    waiver: (...argv: string[]) => service.maturity(["waiver", ...argv], {}, { env: { MATURITY_TOKEN: token } }),
  };
}

const asker = () => caller(`asker ${randomUUID().slice(0, 4)}`, "read", "waiver:request");
const decider = () => caller(`decider ${randomUUID().slice(0, 4)}`, "read", "waiver:write");

async function ask(by: Awaited<ReturnType<typeof caller>>, area: string): Promise<Waiver> {
  const { code, stdout } = await by.waiver("request", "--yes", "--area", area, "-m", "dast", ...why, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe("maturity waiver request", () => {
  test("asks for a waiver, which waives nothing until somebody else approves it", async () => {
    const [ann, office] = [await asker(), await decider()];
    const evidence = "https://git.example.com/issues/12";
    const argv = ["request", "--yes", "--area", "one", "-m", "dast", ...why, "--evidence", evidence];
    const { code, stdout, stderr } = await ann.waiver(...argv);
    const [asked] = await ann.client.waivers({ requested_by: "me", all: true }).toArray();
    expect(asked).toMatchObject({ state: "requested", evidence });
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(
        new RegExp(`^asked to waive dast of one until .* UTC\\nmaturity waiver withdraw ${asked?.id} takes it back; `),
      ),
    });
    expect((await office.waiver("list")).stdout).toBe("no waivers\n");
    expect((await office.waiver("list", "--decidable")).stdout).toContain("asked 1 minute ago by asker");

    const short = String(asked?.id).slice(0, 8);
    const dry = await office.waiver("approve", short, "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^would approve: dast of one\n {2}asked for by asker/),
    });
    const approved = await office.waiver("approve", short, "--yes", "--comment", "until spring");
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^approved: dast of one\n/) });
    expect(await ann.client.waivers().toArray()).toMatchObject([{ state: "approved", comment: "until spring" }]);
    expect((await ann.waiver("list", "--mine")).stdout).toContain("in 30 days");

    const again = await office.waiver("approve", String(asked?.id), "--yes");
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("the waiver was approved by decider") });
    const late = await office.waiver("reject", short, "--dry-run", "--comment", "no");
    expect(late).toMatchObject({ code: 0, stdout: expect.stringContaining("is approved already: dast of one\n") });
    const more = await ann.waiver(
      "request",
      "--yes",
      "--area",
      "one",
      "-m",
      "dast",
      ...why,
      "--extends",
      String(asked?.id),
      "--json",
    );
    expect(JSON.parse(more.stdout)).toMatchObject({ state: "requested", extends: asked?.id });
  });

  test("is decided by somebody else, and taken back by nobody else", async () => {
    const [ann, office] = [await asker(), await decider()];
    const { id } = await ask(office, "two");
    expect(await office.waiver("approve", id, "--yes")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("you asked for this waiver yourself"),
    });
    expect(await ann.waiver("withdraw", id, "--yes")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("only the caller that asked for a waiver withdraws it"),
    });
    expect(await office.waiver("withdraw", id, "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^withdrew: /),
    });
    expect((await office.waiver("list", "--mine", "--area", "two")).stdout).toContain("withdrawn 1 minute ago");
  });

  test("is rejected with a comment alone", async () => {
    const [ann, office] = [await asker(), await decider()];
    const { id } = await ask(ann, "three");
    expect(await office.waiver("reject", id, "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("give --comment: why it is rejected"),
    });
    const rejected = await office.waiver("reject", id, "--yes", "--comment", "scan it first", "--json");
    expect(JSON.parse(rejected.stdout)).toMatchObject({ state: "rejected", comment: "scan it first" });
    expect((await ann.waiver("list", "--state", "rejected", "--area", "three")).stdout).toContain(
      "rejected 1 minute ago by decider",
    );
  });

  test("is what a token may make that may not waive, and that is said to it", async () => {
    const ann = await asker();
    expect(await ann.waiver("add", "--yes", "--area", "four", "-m", "dast", ...why)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("send the state requested to ask for the waiver"),
    });
  });

  test("wants --yes where there is no terminal to ask on", async () => {
    const ann = await asker();
    for (const argv of [
      ["request", "--area", "five", "-m", "dast", ...why],
      ["approve", "0195e1f4"],
      ["withdraw", "0195e1f4"],
    ]) {
      expect(await ann.waiver(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining("give --yes") });
    }
  });
});
