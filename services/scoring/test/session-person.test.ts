import { beforeEach, expect, test } from "vitest";
import type { CookieJar } from "./support/cookie-jar.ts";
import { makeKnown } from "./support/known-names.ts";
import { type SigningService, signedIn, useProvider, useSigningService } from "./support/sign-in.ts";

const waiver = {
  ...{ kind: "not_applicable", area: "shop", team: "checkout", app: "cart" },
  ...{ scorecard: "security", metric: "dast", reason: "it has no pages", owner: "Ann" },
};

let service: SigningService;
let jar: CookieJar;
beforeEach(async () => {
  service = await useSigningService(await useProvider());
  jar = await signedIn(service, "1");
  await makeKnown(service, waiver);
});

function ask(shown: Readonly<Record<string, string>>): Promise<Response> {
  const headers = { "content-type": "application/json", "x-maturity-board": "1", ...shown };
  return jar.send(`${service.url}/waivers`, { method: "POST", headers, body: JSON.stringify(waiver) });
}

test.each([
  { window: "that shows this person", shown: { "x-maturity-person": "ann%40acme.example" } },
  { window: "that does not say whom it shows", shown: {} },
])("a window $window changes something", async ({ shown }) => {
  const response = await ask(shown);
  expect([response.status, await response.json()]).toMatchObject([201, { requested_by: "ann@acme.example" }]);
});

test("a window that shows a person who has signed out since reads nothing", async () => {
  for (const path of ["/whoami", "/areas", "/waivers?decidable=true"]) {
    const read = async (person: string) => {
      const response = await jar.send(`${service.url}${path}`, { headers: { "x-maturity-person": person } });
      const { details } = (await response.json()) as { details?: readonly { readonly path: string }[] };
      return [response.status, details?.[0]?.path];
    };
    expect(await read("ann%40acme.example")).toEqual([200, undefined]);
    for (const other of ["bob%40acme.example", "Ann%40acme.example", ""]) {
      expect(await read(other)).toEqual([403, "x-maturity-person"]);
    }
  }
});

test("a session is asked for headers alone, too", async () => {
  const response = await jar.send(`${service.url}/areas`, { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("nothing stores what is a person's own", async () => {
  for (const path of ["/whoami", "/board/session", "/waivers?requested_by=me", "/waivers?decidable=true"]) {
    const response = await jar.send(`${service.url}${path}`);
    expect([response.status, response.headers.get("cache-control")], path).toEqual([200, "no-store"]);
  }
  for (const path of ["/areas", "/waivers", "/problems"]) {
    const { headers } = await jar.send(`${service.url}${path}`);
    expect([headers.get("cache-control"), headers.get("vary")], path).toEqual([
      "private, no-cache",
      expect.stringContaining("cookie"),
    ]);
  }
});

test("a window that shows a person who has signed out since changes nothing", async () => {
  const response = await ask({ "x-maturity-person": "bob%40acme.example" });
  expect([response.status, await response.json()]).toMatchObject([
    403,
    { code: "forbidden", message: "another window of this browser has signed in somebody else; load the page again" },
  ]);
  expect(await service.database.knex("waivers")).toEqual([]);
});
