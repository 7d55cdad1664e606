import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Fact } from "../model/fact.ts";
import { parseNotify } from "./notify-file.ts";
import { notRegistered, placesOf, waysOf } from "./routes.ts";

const folder = mkdtempSync(join(tmpdir(), "notify-"));
writeFileSync(join(folder, "token"), "xoxb-1\n");
writeFileSync(join(folder, "secret"), `whsec_${Buffer.alloc(32, 1).toString("base64")}\n`);
writeFileSync(join(folder, "short"), "whsec_c2hvcnQ=\n");
writeFileSync(join(folder, "workflow"), "https://example.com/workflow?sig=sesame\n");

const parse = (text: string) => parseNotify(text, join(folder, "notify.yaml"));

const file = `board_url: https://maturity.example.com/tools
destinations:
  security: { kind: slack, token_file: token, channel: "#security" }
  chat: { kind: slack, token_file: token, channel: "#all", report_channel: true }
  siem: { kind: webhook, url: "https://siem.example.com/in", secret_file: secret, former_secret_file: secret }
  board: { kind: teams, url_file: workflow }
  team: { kind: email, url: "smtps://mail.example.com", from: m@example.com, to: [a@example.com, b@example.com] }
routes:
  - { types: ["problem.*"], severities: [critical, high], to: [security], continue: true }
  - { areas: [bank], to: [siem] }
  - { teams: [checkout], to: [team, board] }
  - { owners: [ann], to: [board] }
  - { types: [digest, "problem.opened"], to: [chat] }
`;

const fact = (changes: Partial<Fact> = {}): Fact => ({
  ...{
    type: "problem.opened",
    subject: "1@2",
    area: "shop",
    team: "search",
    app: "index",
    env: "prod",
    severity: "low",
  },
  data: {},
  ...changes,
});

test.each<[string, Partial<Fact>, { owner?: string; notify?: string }, string[]]>([
  ["the first that fits", {}, {}, ["chat #all"]],
  ["the channel of the report, where it is taken", { data: { chat_channel: "#x" } }, {}, ["chat #x"]],
  ["all up to the first without continue", { severity: "high", area: "bank" }, {}, ["security #security", "siem "]],
  ["all destinations of a route", { team: "checkout" }, {}, ["team ", "board "]],
  ["by the owner", { type: "waiver.ending", severity: null }, { owner: "ann" }, ["board "]],
  ["nowhere", { type: "waiver.ending", severity: null }, { owner: "ben" }, []],
  ["by the label too, each once", { team: "checkout" }, { notify: "team" }, ["team ", "board "]],
  ["by the label alone", { type: "waiver.ending", severity: null }, { notify: "siem" }, ["siem "]],
  ["not by a label that names nothing", { type: "waiver.ending", severity: null }, { notify: "none" }, []],
  ["not by an area that it does not have", { type: "digest", area: null, severity: null }, {}, ["chat #all"]],
])("a fact goes %s", (_, changes, registered, places) => {
  const found = placesOf(parse(file), fact(changes), { ...notRegistered, ...registered });
  expect(found.map(({ destination, address }) => `${destination} ${address}`)).toEqual(places);
});

test("says by which route a fact goes where", () => {
  expect(waysOf(parse(file), fact({ severity: "high" }), { owner: null, notify: "none" })).toEqual([
    { destination: "none", route: null, address: undefined },
    { destination: "security", route: 1, address: "#security" },
    { destination: "chat", route: 5, address: "#all" },
  ]);
});

test("the address of the Board is below the given one", () => {
  expect(parse(file).boardUrl).toBe("https://maturity.example.com/tools/board/");
});

const good = `destinations: { siem: { kind: webhook, url: "https://siem.example.com", secret_file: secret } }
routes: [{ to: [siem] }]
`;

const one = (destination: string) => `destinations:\n  siem: ${destination}\nroutes: [{ to: [siem] }]\n`;

test.each([
  ["no YAML", "destinations: [", /line 1: /],
  ["no destination", "routes: [{ to: [siem] }]", /line 1: destinations is required/],
  ["no route", good.replace(/routes.*/, ""), /routes is required/],
  [
    "a kind that does not exist",
    one("{ kind: pager }"),
    /line 2: destinations\.siem\.kind must be one of \[slack, webhook/,
  ],
  ["no kind", one("{ url: x }"), /line 2: destinations\.siem\.kind is required/],
  ["a name that is none", good.replaceAll("siem:", "Siem Prod:"), /is no name of a destination/],
  [
    "a route to nowhere",
    good.replace("[siem]", "[sime]"),
    /line 2: routes\[0\]\.to\[0\] is no destination of this file; there are siem/,
  ],
  [
    "a type that does not exist",
    good.replace("to:", "types: [problem.open], to:"),
    /line 2: routes\[0\]\.types\[0\] must be one of \[problem\.opened/,
  ],
  [
    "a severity that does not exist",
    good.replace("to:", "severities: [awful], to:"),
    /severities\[0\] must be one of \[critical/,
  ],
  [
    "a setting that does not exist",
    one("{ kind: webhook, url: 'https://a.b', secret_file: secret, uri: x }"),
    /siem\.uri is not a setting; did you mean url\?/,
  ],
  [
    "an address with a password",
    one("{ kind: webhook, url: 'https://a:b@c.d', secret_file: secret }"),
    /without a user and a password/,
  ],
  [
    "another scheme",
    one("{ kind: webhook, url: 'file:///etc/passwd', secret_file: secret }"),
    /must be an address such as https/,
  ],
  [
    "a secret that is not there",
    one("{ kind: webhook, url: 'https://a.b', secret_file: none }"),
    /secret_file names a file that cannot be read/,
  ],
  [
    "a secret that is too short",
    one("{ kind: webhook, url: 'https://a.b', secret_file: short }"),
    /is not 24 to 64 bytes in base64/,
  ],
  ["a slack without a channel", one("{ kind: slack, token_file: token }"), /siem\.channel is required/],
  [
    "a user without a password",
    one("{ kind: email, url: 'smtp://a.b', user: u, from: m@e.com, to: a@e.com }"),
    /password_file is required/,
  ],
  [
    "a mail server with a password in its address",
    one("{ kind: email, url: 'smtp://u:p@a.b', from: m@e.com, to: a@e.com }"),
    /must be smtp:\/\/HOST:PORT/,
  ],
  [
    "a mail server with a password alone in its address",
    one("{ kind: email, url: 'smtp://:p@a.b', from: m@e.com, to: a@e.com }"),
    /must be smtp:\/\/HOST:PORT/,
  ],
  [
    "a mail address that is none",
    one("{ kind: email, url: 'smtp://a.b', from: me, to: a@e.com }"),
    /from must be a mail address/,
  ],
])("%s is refused with its line", (_, text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test("lists all faults, and repeats no secret", () => {
  const text = `destinations:
  a: { kind: teams, url_file: token }
  b: { kind: webhook, url: nowhere, secret_file: short }
routes: [{ to: [a, b], when: now }]
`;
  const error = (() => {
    try {
      return parse(text);
    } catch (error) {
      return String(error);
    }
  })();
  expect(error).toMatch(/line 2: .*url_file[\s\S]*line 3: .*url [\s\S]*line 3: .*secret_file[\s\S]*line 4: .*when/);
  expect(error).not.toMatch(/xoxb|c2hvcnQ/);
});
