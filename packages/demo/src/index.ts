export { nameActions, nameRows } from "./names.ts";
export { demoTeams } from "./organisation.ts";
export { problemRows } from "./problems.ts";
export { demoMetrics } from "./raws.ts";
export { demoEngine, formerEngine } from "./scorers.ts";
export { type DemoWaiver, demoWaivers, waiverActions } from "./waivers.ts";
export { type DemoRollUp, type DemoYear, demoRules, demoYear } from "./year.ts";
