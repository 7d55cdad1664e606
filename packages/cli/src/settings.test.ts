import { describe, expect, test } from "vitest";
import { requireTarget, resolveSettings, type SettingsFile, scorecardPackages } from "./settings.ts";

const file: SettingsFile = { path: "/cart/maturity.yaml", values: { area: "shop", team: "checkout", app: "cart" } };

describe("resolveSettings", () => {
  test.each<[string, Record<string, unknown>, Record<string, string>, SettingsFile | undefined, object]>([
    ["nothing", {}, {}, undefined, {}],
    ["the file", {}, {}, file, { app: { value: "cart", from: "/cart/maturity.yaml" } }],
    [
      "the environment before the file",
      {},
      { MATURITY_APP: "till" },
      file,
      { app: { value: "till", from: "MATURITY_APP" } },
    ],
    [
      "a flag before both",
      { app: "shelf" },
      { MATURITY_APP: "till" },
      file,
      { app: { value: "shelf", from: "--app" } },
    ],
    ["an empty variable counts as none", {}, { MATURITY_APP: "" }, file, { app: { value: "cart", from: file.path } }],
    [
      "white space is no part of an address",
      { url: " http://a.example\n" },
      {},
      file,
      { url: { value: "http://a.example" } },
    ],
    [
      "an address of white space counts as none",
      { url: " " },
      { MATURITY_URL: "http://b" },
      file,
      { url: { value: "http://b" } },
    ],
    [
      "a flag of two words",
      { chatChannel: "#ops" },
      {},
      undefined,
      { chat_channel: { value: "#ops", from: "--chat-channel" } },
    ],
  ])("%s", (_, flags, env, given, expected) => {
    expect(resolveSettings(flags, env, given)).toMatchObject(expected);
  });
});

test("what is missing of the target is named, with where it may stand", () => {
  const settings = resolveSettings(
    { env: "prod" },
    {},
    { path: "maturity.yaml", values: { area: "shop", app: "cart" } },
  );
  expect(() => requireTarget(settings)).toThrow(
    "team is missing: give --team or MATURITY_TEAM, or put it into maturity.yaml (maturity init writes one)",
  );
});

test("scorecards are a list with commas", () => {
  const settings = resolveSettings({ scorecards: " @acme/cost, ,@acme/docs" }, {}, undefined);
  expect(scorecardPackages(settings)).toEqual(["@acme/cost", "@acme/docs"]);
});
