export { ApplicationsScreen } from "./applications.tsx";
export { CompareScreen } from "./compare.tsx";
export { LevelsScreen } from "./levels.tsx";
export { StaleScreen } from "./stale.tsx";
