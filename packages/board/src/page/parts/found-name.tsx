type Names = { readonly [Name in "area" | "team" | "app"]?: string | null | undefined };

/** The name of an area, a team or an application, with its kind and the names above it. */
export function FoundName({
  of: { area, team, app },
  formerly,
}: {
  readonly of: Names;
  readonly formerly?: Names | null;
}) {
  const kind = app ? "application" : team ? "team" : "area";
  const above = app ? namesOf({ area, team }) : team ? namesOf({ area }) : [];
  return (
    <>
      <bdi class="what">{app ?? team ?? area}</bdi>
      <span class="where">
        {kind}
        {above.map((name, index) => (
          <>
            {index === 0 ? " in " : " / "}
            <bdi>{name}</bdi>
          </>
        ))}
        {formerly && (
          <>
            , formerly <bdi>{namesOf(formerly).join(" / ")}</bdi>
          </>
        )}
      </span>
    </>
  );
}

function namesOf({ area, team, app }: Names): readonly string[] {
  return [area, team, app].flatMap((name) => name || []);
}
