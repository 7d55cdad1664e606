import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const [light = "", dark = ""] = readFileSync(new URL("tokens.css", import.meta.url), "utf8").split("@media");
const themes = { light: colours(light), dark: { ...colours(light), ...colours(dark) } };
const steps = ["s0", "s1", "s2", "s3", "s4"];

function colours(css: string): Record<string, string> {
  return Object.fromEntries([...css.matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

/** Relative luminance by WCAG 2.2, from 0 for black to 1 for white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = "", other = ""): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(Object.entries(themes))("in the %s", (theme, colour) => {
  test.each([
    ...steps.map((step, index) => [`t${index}`, step]),
    ...["ink", "soft", "bad", "good"].flatMap((text) => [
      [text, "page"],
      [text, "sheet"],
    ]),
    ["sheet", "ink"],
    ["ink", "s4"],
  ])("%s can be read on %s", (text = "", ground = "") => {
    expect(contrast(colour[text], colour[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test("a worse score stands out more: the steps go one way, to whom sees no hue as well", () => {
    const lightness = steps.map((step) => luminance(colour[step] ?? ""));
    expect(lightness).toEqual([...lightness].sort((a, b) => (theme === "light" ? a - b : b - a)));
    expect(new Set(lightness).size).toBe(steps.length);
  });

  test("the focus stands out from what is around it", () => {
    expect(contrast(colour.focus, colour.page)).toBeGreaterThanOrEqual(3);
    expect(contrast(colour.focus, colour.sheet)).toBeGreaterThanOrEqual(3);
  });
});
