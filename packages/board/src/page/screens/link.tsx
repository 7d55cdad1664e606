/** An address from a report as a link if it is one of the web, otherwise as text: anybody may have written it. */
export function Link({ to, children = to }: { readonly to: string; readonly children?: string }) {
  if (!/^https?:\/\//i.test(to) || !URL.canParse(to)) return <bdi>{children}</bdi>;
  return (
    <a href={to} rel="noreferrer" target="_blank" title={to}>
      <bdi>{children.replace(/^https?:\/\//i, "")}</bdi>
    </a>
  );
}
