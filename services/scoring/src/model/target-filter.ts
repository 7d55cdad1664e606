/** The rows that a read shows. For each given field, only rows with one of the values are shown. */
export interface TargetFilter {
  readonly area?: readonly string[];
  readonly team?: readonly string[];
  readonly app?: readonly string[];
  readonly env?: readonly string[];
}
