/** The area, team or application that a token is limited to. An absent field sets no limit. */
export interface Bounds {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
}

/** Selects rows by their names: a row must have one of the values of each given field. */
export interface NameFilter {
  readonly area?: readonly string[];
  readonly team?: readonly string[];
  readonly app?: readonly string[];
  readonly env?: readonly string[];
}

/** Selects the rows of a read. */
export interface TargetFilter extends NameFilter {
  /** A row must be within one of these bounds too. */
  readonly within?: readonly Bounds[];
}
