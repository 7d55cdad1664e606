/** A score as people read it: one digit behind the point. Never 100 unless it is. */
export function scoreText(score: number | null): string {
  if (score === null) return "-";
  const text = score.toFixed(1);
  return text === "100.0" && score < 100 ? "99.9" : text;
}

/** A share of the weight, in percent. Neither 0 nor 100 unless it is. */
export function shareText(share: number): string {
  const percent = Math.round(share * 100);
  const honest = share > 0 && percent === 0 ? 1 : share < 1 && percent === 100 ? 99 : percent;
  return `${honest} %`;
}
