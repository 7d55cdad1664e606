/** `pnpm bench core`: scores per second of the core. `pnpm bench`: the service beside its peers. */
const [what = "service"] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const benches: Readonly<Record<string, string>> = {
  core: "./packages/core/bench/score.ts",
  service: "./services/scoring/bench/main.ts",
};
const bench = benches[what];
if (!bench) throw new Error(`there is no bench named ${what}; there are ${Object.keys(benches).join(", ")}`);
await import(bench);
