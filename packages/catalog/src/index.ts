export type { CatalogOptions } from "./apps-of.ts";
export { type AppName, type Difference, type Plan, planOf, type Registry } from "./plan.ts";
export { readCatalog } from "./read-catalog.ts";
export {
  type AppEntry,
  type CatalogReading,
  type FoundApp,
  type PassedOver,
  type Place,
  placeText,
} from "./reading.ts";
export { register, registryOf } from "./registry.ts";
export type { CatalogSource } from "./source.ts";
