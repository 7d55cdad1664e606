/** The smallest difference of two scores that counts as one, in points: a whole number shows it. */
export const noticeable = 0.5;

/**
 * A score with two decimals. The 1e-9 lets a value that is a half in decimals, such as 1.005, round up although its binary
 * form lies below.
 */
export function roundHalfUp(score: number): number {
  return Math.floor(score * 100 + 0.5 + 1e-9) / 100;
}

/**
 * A mean with twelve decimals. Binary fractions miss it by less, so scores of 100 have the mean 100, whatever their weights.
 */
export function roundMean(mean: number): number {
  return Math.round(mean * 1e12) / 1e12;
}
