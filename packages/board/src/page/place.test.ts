import { describe, expect, test } from "vitest";
import { hrefOf, placeOf, viewOf } from "./place.ts";

test.each([
  { query: "", view: "organisation" },
  { query: "?env=prod&area=shop", view: "organisation" },
  { query: "?area=shop&team=checkout", view: "team" },
  { query: "?area=shop&team=checkout&app=cart", view: "application" },
  { query: "?app=cart", view: "organisation" },
  { query: "?view=problems&area=shop&team=checkout", view: "problems" },
  { query: "?view=teams&area=shop", view: "teams" },
  { query: "?view=nonsense", view: "organisation" },
])("$query shows $view", ({ query, view }) => {
  expect(viewOf(placeOf(query))).toBe(view);
});

describe("an address", () => {
  test.each(["</script>", '"', "a&b=c", "#", "%2F", "../..", "שלום", "a+b c", "\u{1f600}"])(
    "holds the name %j",
    (name) => {
      const place = { env: "prod", area: name, team: name, app: name };
      expect(placeOf(hrefOf(place))).toEqual(place);
    },
  );

  test("is the same for the same place, whatever the order", () => {
    expect(hrefOf({ app: "cart", area: "shop" })).toBe(hrefOf({ area: "shop", app: "cart" }));
  });

  test("leaves out what is empty or unknown", () => {
    expect(placeOf("?area=&foo=1&q=x")).toEqual({ q: "x" });
    expect(hrefOf({ q: "", area: undefined })).toBe("?");
  });
});
