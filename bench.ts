/** `pnpm bench core`: scores per second of the core. `core-roll-up`: how long it rolls up 300,000 scores. `gain`: applications per second of which it finds what they gain. `pnpm bench`: the service beside its peers; `board`: how fast the page is, and what open pages cost; `ended-waivers`: what waivers that are over cost; `history`: what recording changes costs; `history-reads`: the size of a year and how fast it is read; `overload`: beyond its limits; `locks`: beside locked rows; `memory`: of the service in a mixed load; `moves`: what former names cost, and how long moves take; `reading`: what the lists cost; `replay`: how long scoring everything again takes; `replica`: what scrapes from a replica save; `reports`: whether reports that are made to be slow take time by their size alone; `roll-ups`: what they cost Prometheus and the service; `stalls`: how long the service stands still beside heavy work; `start`: how fast the programs start. */
const benches: Readonly<Record<string, string>> = {
  board: "./packages/board/bench/board.ts",
  core: "./packages/core/bench/score.ts",
  "ended-waivers": "./services/scoring/bench/ended-waivers.ts",
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
  stalls: "./services/scoring/bench/stalls.ts",
  start: "./bench/start.ts",
};
await import(benches[process.argv[2] ?? ""] ?? "./services/scoring/bench/main.ts");
