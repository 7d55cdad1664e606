export { CodedError, maxFaults, summaryOf } from "./errors.ts";
export { eachGain } from "./gain.ts";
export { levelFacts, levelOf } from "./levels.ts";
export { maxBodyBytes, maxEntries } from "./limits.ts";
export { nameFault, namePattern } from "./names.ts";
export { rollUpInOrder } from "./roll-up.ts";
export { severities } from "./severity.ts";
export { targetFields } from "./target.ts";
export { waivedInOrder } from "./waivers.ts";
