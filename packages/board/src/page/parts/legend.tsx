/** What the colours of scores, the parts of a coverage and those of the bar of levels mean. */
export function Legend({ levels = false }: { readonly levels?: boolean }) {
  return (
    <p class="legend">
      <span class="steps">
        {["0–19", "20–39", "40–59", "60–79", "80–100"].map((range, step) => (
          <span key={range} class={`heat s${step}`}>
            {range}
          </span>
        ))}
      </span>
      <span class="key">
        <span class="share">
          <span class="bar" aria-hidden="true">
            <i class="fresh" style={{ width: "40%" }} />
            <i class="stale" style={{ width: "20%" }} />
            <i class="waived" style={{ width: "20%" }} />
          </span>
        </span>
        solid is fresh, hatched is stale, dotted is waived, empty never reported
      </span>
      {levels && <span>of the levels, the stronger is the higher</span>}
    </p>
  );
}
