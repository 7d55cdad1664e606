/** What the parts of the bar of the weight are called, in their order. */
const parts = [
  ["fresh", "fresh"],
  ["stale", "stale"],
  ["waived", "waived or exempt"],
  ["empty", "never reported"],
] as const;

/** What the colours of scores, the parts of the bar of the weight and those of the bar of levels mean. */
export function Legend({ levels = false }: { readonly levels?: boolean }) {
  return (
    <div class="legend">
      <span class="steps">
        {["0–19", "20–39", "40–59", "60–79", "80–100"].map((range, step) => (
          <span key={range} class={`heat s${step}`}>
            {range}
          </span>
        ))}
      </span>
      <span class="keys">
        {parts.map(([part, name]) => (
          <span key={part} class="key">
            <span class="bar" aria-hidden="true">
              <i class={part} />
            </span>
            {name}
          </span>
        ))}
      </span>
      <span>
        Under a number, hatches and dots mean the same. A dashed edge: a thin score, of a quarter of the weight or less.
      </span>
      {levels && <span>In Levels, the stronger the part, the higher the level.</span>}
    </div>
  );
}
