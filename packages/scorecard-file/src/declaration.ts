/** What a scorecard file says. */
export interface ScorecardDeclaration {
  readonly contract: 1;
  readonly name: string;
  readonly title?: string;
  /** `1.4.0` */
  readonly version: string;
  readonly dimension: string;
  readonly weight: number;
  readonly metrics: readonly MetricDeclaration[];
}

/** A metric of a scorecard file. Its members mean the same as those of a `Metric` of `@maturity/core`. */
export interface MetricDeclaration {
  readonly name: string;
  readonly title: string;
  readonly weight?: number;
  readonly max_age_hours?: number;
  readonly description?: string;
  readonly help?: string;
  readonly inputs?: InputDeclarations;
  readonly curve: CurveDeclaration;
  /** At least one. */
  readonly cases: readonly CaseDeclaration[];
}

/** The inputs of a metric, by their fields in `raw`. */
export type InputDeclarations = Readonly<Record<string, InputDeclaration>>;

/** The words and the range of an input. */
export interface InputDeclaration {
  readonly label?: string;
  readonly unit?: string | readonly [singular: string, plural: string];
  readonly min?: number;
  readonly max?: number;
}

/** A curve has exactly one of these members. */
export interface CurveDeclaration {
  readonly piecewise?: PointsDeclaration;
  readonly log_piecewise?: PointsDeclaration;
  /** For each counted field the number that halves the score. */
  readonly halving?: Readonly<Record<string, number>>;
  readonly pass_fail?: FlagDeclaration;
  /** None of these is a `lowest_of` itself. */
  readonly lowest_of?: readonly CurveDeclaration[];
}

/** A curve of points over one field. */
export interface PointsDeclaration {
  readonly field: string;
  readonly points: readonly (readonly [input: number, score: number])[];
}

/** A flag that passes or fails. */
export interface FlagDeclaration {
  readonly field: string;
  /** The value that passes. Default: true. */
  readonly passes?: boolean;
  /** A clause that says what is so when it passes. Default: made of the label. */
  readonly pass?: string;
  /** The same when it fails. */
  readonly fail?: string;
}

/** A result and the score that it must get. */
export interface CaseDeclaration {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly score: number;
}
