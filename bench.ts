import { recordFigures } from "./bench/figures.ts";
import { writePages } from "./bench/pages.ts";

/** With `--write` a bench puts its tables into `bench/figures.json` and the pages that show them; `--write=NAME` under another name than its own. `pnpm bench core`: scores per second of the core. `core-roll-up`: how long it rolls up 300,000 scores. `gain`: applications per second of which it finds what they gain. `pnpm bench`: the service beside its peers; `backfill`: how long the past of a year takes beside reports; `board`: how fast the page is, and what open pages cost; `campaigns`: what 50 of them add to a reading; `ended-waivers`: what waivers that are over cost; `history`: what recording changes costs; `history-reads`: the size of a year and how fast it is read; `overload`: beyond its limits; `locks`: beside locked rows; `memory`: of the service in a mixed load, beside its open files; with `--minutes 120` a soak; `moves`: what former names cost, and how long moves take; `reading`: what the lists cost; `replay`: how long scoring everything again takes; `replica`: what scrapes from a replica save; `reports`: whether reports that are made to be slow take time by their size alone; `roll-ups`: what they cost Prometheus and the service; `rules`: what rules of the policy cost; `stalls`: how long the service stands still beside heavy work; `start`: how fast the programs start. */
const benches: Readonly<Record<string, string>> = {
  backfill: "./services/scoring/bench/backfill.ts",
  board: "./packages/board/bench/board.ts",
  core: "./packages/core/bench/score.ts",
  "ended-waivers": "./services/scoring/bench/ended-waivers.ts",
  campaigns: "./services/scoring/bench/campaigns.ts",
  "core-roll-up": "./packages/core/bench/roll-up.ts",
  gain: "./packages/core/bench/gain.ts",
  history: "./services/scoring/bench/history.ts",
  "history-reads": "./services/scoring/bench/history-reads.ts",
  locks: "./services/scoring/bench/locks.ts",
  memory: "./services/scoring/bench/memory.ts",
  moves: "./services/scoring/bench/moves.ts",
  overload: "./services/scoring/bench/overload.ts",
  reading: "./services/scoring/bench/reading.ts",
  replay: "./services/scoring/bench/replay.ts",
  replica: "./services/scoring/bench/replica.ts",
  reports: "./packages/reports/bench/hostile-reports.ts",
  "roll-ups": "./services/scoring/bench/roll-ups.ts",
  rules: "./services/scoring/bench/rules.ts",
  stalls: "./services/scoring/bench/stalls.ts",
  start: "./bench/start.ts",
};
const [name = ""] = process.argv.slice(2);
const own = /^--write(?:=(.*))?$/;
const flag = process.argv.find((word) => own.test(word));
if (flag !== undefined) {
  const words = process.argv.slice(2).filter((word) => word !== flag);
  process.argv.splice(2, Infinity, ...words);
  let printed = "";
  // biome-ignore lint/suspicious/noConsole: what a bench prints is what is recorded
  const print = console.log;
  console.log = (...texts: unknown[]) => {
    printed += `${texts.join(" ")}\n`;
    print(...texts);
  };
  // Some benches end the process themselves.
  process.on("exit", (code) => {
    if (code !== 0) return;
    recordFigures(
      own.exec(flag)?.[1] ?? (name in benches ? name : "main"),
      ["pnpm bench", ...words].join(" "),
      printed,
    );
    writePages();
  });
}
await import(benches[name] ?? "./services/scoring/bench/main.ts");
