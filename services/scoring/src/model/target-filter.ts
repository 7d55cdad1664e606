/** Selects the rows of a read: a row must have one of the values of each given field. */
export interface TargetFilter {
  readonly area?: readonly string[];
  readonly team?: readonly string[];
  readonly app?: readonly string[];
  readonly env?: readonly string[];
}
