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
  ["a secret too short to tell", "a b c", ["a", "b", "c"], "a b c"],
  ["what is no text", "x", [undefined, null, 4, {}], "x"],
  ["an AWS key id", "AKIAIOSFODNN7EXAMPLE in use", [], "*** in use"],
  ["a GitHub token", `ghp_${"a1".repeat(18)}`, [], "***"],
  ["a GitLab token", `glpat-${"a1".repeat(10)}`, [], "***"],
  ["a Slack token", "xoxb-123456789012-abc", [], "***"],
  ["a Stripe key", `sk_live_${"a1".repeat(12)}`, [], "***"],
  ["a Google key", `AIza${"a1_-x".repeat(7)}`, [], "***"],
  ["a JSON web token", `eyJ${"a".repeat(12)}.eyJ${"b".repeat(12)}.sig`, [], "***"],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- x", [], "*** x"],
  ["the user of a URL", "see https://user:pass@git.example/x", [], "see https://***@git.example/x"],
])("%s", (_name, text, secrets, expected) => {
  expect(masked(text, secrets, 4)).toBe(expected);
});

test("what is no text is nothing", () => {
  expect(masked({ text: "x" }, [], 4)).toBe("");
});
