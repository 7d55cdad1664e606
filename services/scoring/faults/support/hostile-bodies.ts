const list = (length: number, text: (index: number) => string) =>
  Array.from({ length }, (_, index) => text(index)).join();
const fields = (count: number) => list(count, (index) => `"f${index}":0`);
const target = '"area":"a","team":"t","app":"hostile","env":"e"';
const score = `${target},"scorecard":"security","metric":"image_scan"`;
const problem = `${target},"problem_type":"x","severity":"low","count":1000`;

/** Bodies of up to a mebibyte, each of which held the event loop for long. */
export const hostileBodies: readonly (readonly [path: string, body: string])[] = [
  ["/problem/scan-result", `{${problem},"details":[${list(1_000, () => `{"file":"x",${fields(99)}}`)}]}`],
  ["/problem/scan-result", `{${problem},"details":[${list(300_000, () => "{}")}]}`],
  ["/score", `{${score},"raw":{${fields(90_000)}}}`],
  ["/score", `{${score},"raw":{"l":[${list(450_000, () => "0")}]}}`],
  ["/score", `{${score},"raw":{"l":${"[".repeat(500_000)}`],
  ["/score", `{${score},${fields(80_000)}}`],
  ["/scores", `{"scores":[${list(1_000, () => `{${fields(99)}}`)}]}`],
  [
    "/scores",
    `{"scores":[${list(1_000, (index) => `{${score},"raw":{${list(80, (key) => `"${index}.${key}":0`)}}}`)}]}`,
  ],
];
