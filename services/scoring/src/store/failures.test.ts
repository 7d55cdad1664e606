import { expect, test } from "vitest";
import { ServiceError } from "../model/errors.ts";
import { withStore } from "./failures.ts";

test.each([new RangeError("Invalid time value"), new TypeError("x is not a function")])(
  "%s is no failure of the database",
  async (fault) => {
    await expect(withStore(() => Promise.reject(fault))).rejects.toBe(fault);
  },
);

test.each([
  new Error("Connection terminated unexpectedly"),
  Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
  Object.assign(new Error("terminating connection due to administrator command"), { code: "57P01" }),
])("%s is a failure of the database", async (failure) => {
  const refused = withStore(() => Promise.reject(failure));
  await expect(refused).rejects.toBeInstanceOf(ServiceError);
  await expect(refused).rejects.toMatchObject({ code: "store-unavailable", cause: failure });
});
