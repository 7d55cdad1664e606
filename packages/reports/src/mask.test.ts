import { expect, test } from "vitest";
import { masked } from "./mask.ts";

const secret = "correct-horse-battery-staple";

test.each<[string, string, unknown[], string]>([
  ["no secret", "a password is in the code", [], "a password is in the code"],
  ["the secret itself", `found ${secret} and ${secret}!`, [secret], "found *** and ***!"],
  ["a word of the code it stands in", `${secret} is weak`, [`const key = "${secret}"; // ${"x"}`], "*** is weak"],
  ["a short word with a digit", "hunter2x is weak", ["password: hunter2x"], "*** is weak"],
  ["a common word of the code stays", "the password is weak", ['password = "hunter2x"'], "the password is weak"],
  ["one line of several", "begins with abcdefgh", ["abcdefgh\n  ijklmnop"], "begins with ***"],
  ["a secret too short to recognize", "a b c", ["a", "b", "c"], "a b c"],
  ["what is no text", "x", [undefined, null, 4, {}], "x"],
  ["an AWS key id", "AKIAIOSFODNN7EXAMPLE in use", [], "*** in use"],
  ["a GitHub token", `ghp_${"a1".repeat(18)}`, [], "***"],
  ["a GitLab token", `glpat-${"a1".repeat(10)}`, [], "***"],
  ["a Slack token", "xoxb-123456789012-abc", [], "***"],
  ["a Stripe key", `sk_live_${"a1".repeat(12)}`, [], "***"],
  ["a Google key", `AIza${"a1_-x".repeat(7)}`, [], "***"],
  ["a JSON web token", `eyJ${"a".repeat(12)}.eyJ${"b".repeat(12)}.sig`, [], "***"],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- x", [], "*** x"],
  ["the header of a token alone", `eyJ${"a".repeat(12)} x`, [], "*** x"],
  ["a private key without its end", "-----BEGIN PRIVATE KEY-----\nMIIE", [], "***"],
  ["a secret within another one", "begins with abcdefgh1 ijk", ["abcdefgh1 ijk"], "begins with ***"],
  ["the user of a URL", "see https://user:pass@git.example/x", [], "see https://***@git.example/x"],
])("%s", (_name, text, secrets, expected) => {
  expect(masked(text, secrets, 4, 1_000)).toBe(expected);
});

test("what is no text is nothing", () => {
  expect(masked({ text: "x" }, [], 4, 1_000)).toBe("");
});

test.each<[string, string, unknown[], string]>([
  ["a text that is longer is cut, one character later", "x".repeat(12), [], "x".repeat(11)],
  ["a secret at the cut leaves no half of it", `${"x".repeat(8)}${secret}`, [secret], `${"x".repeat(8)}***`],
  ["nor does a token", `${"x".repeat(7)} ghp_${"a1".repeat(18)}`, [], `${"x".repeat(7)} ***`],
  ["what is masked before makes no room for what stands behind", `${secret} and ${secret.repeat(2)}`, [secret], "***"],
  ["a secret longer than all that is shown", "s3cret-".repeat(2_000), ["s3cret-".repeat(2_000)], "***"],
])("of at most 10 characters %s", (_name, text, secrets, expected) => {
  expect(masked(text, secrets, 4, 10)).toBe(expected);
});

/** A text of so many characters in which the formats of tokens begin everywhere. */
const hostile = (beginning: string, length: number) => beginning.repeat(Math.ceil(length / beginning.length));

test.each([
  ...[
    "eyJ-",
    "eyJaaaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN A ",
    "-----BEGIN ",
    "://",
    "://a",
    "ghp_",
    "glpat-",
  ],
  ...["xoxb-", "sk_live_", "AIza", "AKIA", "github_pat_", "A", " ", "\n", "@"],
])("of 4 MB of %j nothing is looked at behind what may be shown", (beginning) => {
  const text = hostile(beginning, 4_000_000);
  const shown = masked(text, [hostile("a1b2c3d4 ", 4_000_000)], 4, 4_000);
  expect(shown).toBe(masked(text.slice(0, 8_096), [hostile("a1b2c3d4 ", 65_536)], 4, 4_000));
});

/** So many lines of code, all of them different. */
const code = (lines: number) => Array.from({ length: lines }, (_, line) => `line ${line}`);

test("a secret is found at the end of 1 MB of code, in one text or in many", () => {
  const lines = [...code(15_000), `${" ".repeat(900_000)}key = ${secret}`];
  expect(masked(`found ${secret}`, [lines.join("\n")], 4, 1_000)).toBe("found ***");
  expect(masked(`found ${secret}`, lines, 4, 1_000)).toBe("found ***");
});

test.each<[string, string, readonly string[], string]>([
  ["lines for a short text", "a flaw", code(20_000), "***"],
  ["words for a short text", "a flaw", [Array.from({ length: 20_000 }, (_, n) => `word-${n}`).join(" ")], "***"],
  ["lines for a long text", "a flaw ".repeat(1_200), code(1_000), "***"],
  ["lines that are the same", "a flaw", Array.from({ length: 20_000 }, () => `key = ${secret}`), "a flaw"],
  ["lines that are too short", "a flaw", Array.from({ length: 20_000 }, (_, n) => n.toString(36).slice(-3)), "a flaw"],
])("of too many %s it depends on what is searched", (_name, text, secrets, expected) => {
  expect(masked(text, secrets, 4, 1_000)).toBe(expected);
});

test("a word of any length is masked", () => {
  const word = `${"x".repeat(20_000_000)}-${secret}`;
  expect(masked(`begins with ${word.slice(0, 4_500)}`, [word], 4, 4_000)).toBe("begins with ***");
});
