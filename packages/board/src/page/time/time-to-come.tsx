/** As high as the trend that comes in its place, so that the list below does not move. */
export function TimeToCome() {
  return <section class="card time-to-come" aria-hidden="true" />;
}
