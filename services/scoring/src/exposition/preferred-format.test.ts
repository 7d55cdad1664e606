import { expect, test } from "vitest";
import { type Format, preferredFormat } from "./exposition.ts";

const text = "text/plain";
const openmetrics = "application/openmetrics-text";

const asked: Readonly<Record<string, readonly [accept: string | undefined, format: Format]>> = {
  nothing: [undefined, text],
  "an empty header": ["", text],
  anything: ["*/*", text],
  "neither of both": ["image/png", text],
  "OpenMetrics alone": [openmetrics, openmetrics],
  "capital letters": ["Application/OpenMetrics-Text;Q=1", openmetrics],
  "a weight without blanks": [`${text};q=0.1,${openmetrics};q=0.9`, openmetrics],
  "a blank behind the semicolon": [`${text}; q=0.1, ${openmetrics}; q=0.9`, openmetrics],
  "a blank before the semicolon": [`${text} ;q=0.1, ${openmetrics} ;q=0.9`, openmetrics],
  "blanks on both sides": [`${text} ;  q=0.1, ${openmetrics}\t;\tq=0.9`, openmetrics],
  "blanks around the equals sign": [`${text}; q = 0.1, ${openmetrics}; q = 0.9`, openmetrics],
  "the lower weight second": [`${text} ;  q=0.9, ${openmetrics} ; q=0.1`, text],
  "a weight of 0": [`${text} ; q=0, */*`, openmetrics],
  "a weight behind other parameters": [`${text};version=0.0.4 ; q=0.1,${openmetrics};q=0.5`, openmetrics],
  "a weight before other parameters": [`${text} ; q=0.1;version=0.0.4,${openmetrics};q=0.5`, openmetrics],
  "commas and semicolons in quotes": [
    String.raw`${text};a="x,\";${text};q=1" ; q=0.1, ${openmetrics};q=0.5`,
    openmetrics,
  ],
  "a weight that is none": [`${text};q=high,${openmetrics};q=0.5`, text],
  "a weight without a value": [`${text};q=,${openmetrics};q=0.5`, text],
  "parameters that are none": [`${text};;=;a=b=c;q,${openmetrics};q=0.5`, text],
  "Prometheus 2 and 3": [
    `${openmetrics};version=1.0.0;escaping=allow-utf-8;q=0.5,${openmetrics};version=0.0.1;q=0.4,${text};version=1.0.0;q=0.3,*/*;q=0.1`,
    openmetrics,
  ],
};

test.each(Object.entries(asked))("%s", (_, [accept, format]) => {
  expect(preferredFormat(accept)).toBe(format);
});

test.each(['"', '"\\"', ";", " ", "\t;q", ",", '="'])("a header full of %j", (part) => {
  expect(preferredFormat(part.repeat(16_384 / part.length))).toBe(text);
});
