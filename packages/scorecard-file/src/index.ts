export { outcomeOf, partsOf, type Use, usesOf } from "./curves.ts";
export type {
  CaseDeclaration,
  CurveDeclaration,
  FlagDeclaration,
  InputDeclaration,
  InputDeclarations,
  MetricDeclaration,
  PointsDeclaration,
  ScorecardDeclaration,
} from "./declaration.ts";
export { isScorecardFile } from "./is-scorecard-file.ts";
export {
  maxScorecardBytes,
  readScorecardFile,
  type ScorecardFile,
  ScorecardFileError,
} from "./read.ts";
export { jsonSchema } from "./schema.ts";
