/** A score as people read it: one digit behind the point. Never 100 unless it is. */
export function scoreText(score: number | null): string {
  if (score === null) return "-";
  const text = score.toFixed(1);
  return text === "100.0" && score < 100 ? "99.9" : text;
}
