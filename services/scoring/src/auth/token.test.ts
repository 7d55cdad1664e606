import { expect, test } from "vitest";
import { createToken, hashToken, isWellFormed } from "./token.ts";

test("a token is recognisable, random and well formed", () => {
  const tokens = Array.from({ length: 1_000 }, createToken);
  expect(new Set(tokens).size).toBe(1_000);
  for (const token of tokens) {
    expect(token).toMatch(/^maturity_[0-9A-Za-z]{42}$/);
    expect(isWellFormed(token)).toBe(true);
  }
});

test("a typing error is found by the checksum", () => {
  const token = createToken();
  for (let index = 0; index < token.length; index++) {
    const other = token[index] === "x" ? "y" : "x";
    expect(isWellFormed(token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
  }
});

test.each([
  "",
  "maturity_",
  "ghp_0123456789",
  createToken().slice(1),
  `${createToken()}0`,
  createToken().toLowerCase(),
])("%j is no token", (text) => expect(isWellFormed(text)).toBe(false));

test("what is stored is its SHA-256", () => {
  expect(hashToken("maturity_")).toBe("6cfec9aeb347a42bec876ae4d281722f6675e0e5d59708dad43079bfd3287a4c");
});
