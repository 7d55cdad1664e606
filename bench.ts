/** `pnpm bench core`: scores per second of the core. `pnpm bench`: the service beside its peers. */
await import(process.argv[2] === "core" ? "./packages/core/bench/score.ts" : "./services/scoring/bench/main.ts");
