import { expect, test } from "vitest";
import { loadFastCheck } from "./fast-check.ts";

test("where it is not installed, the error says how to install it", async () => {
  const missing = Object.assign(new Error("Cannot find package 'fast-check'"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(loadFastCheck(() => Promise.reject(missing))).rejects.toThrow("npm install --save-dev fast-check");
});

test("any other error stays as it is", async () => {
  const broken = new SyntaxError("unexpected token");
  await expect(loadFastCheck(() => Promise.reject(broken))).rejects.toBe(broken);
});
