/** A person who can sign in. Without a password: a click is enough. */
export interface Person {
  /** The `sub` claim. */
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** What the page says of the person. */
  readonly about?: string;
}

/** The page on which somebody chooses who to be. */
export function peoplePage(people: readonly Person[]): string {
  return page(
    "Who are you?",
    `<p>This provider is for trials: it asks for no password.</p>
    <form method="post">
      ${people.map(button).join("\n")}
      <button name="person" value="" class="none">Nobody: go back without signing in</button>
    </form>`,
  );
}

function button({ sub, name, email, about = "" }: Person): string {
  return `<button name="person" value="${escaped(sub)}"><b>${escaped(name)}</b> <span>${escaped(email)}</span>
    <small>${escaped(about)}</small></button>`;
}

/** The page that ends the session at the provider, as soon as it is shown. */
export function signOutPage(form: string): string {
  return page(
    "Signing out",
    `${form}
    <button form="op.logoutForm" name="logout" value="yes">Sign out</button>
    <script>document.querySelector("[name=logout]").click()</script>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,">
    <title>${title}</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
      body { max-width: 32rem; margin: 10vh auto; padding: 0 1rem }
      form { display: grid; gap: .75rem }
      button { font: inherit; text-align: start; padding: .75rem 1rem; border: 1px solid #8888; border-radius: .5rem; cursor: pointer }
      button small { display: block }
      .none { border-style: dashed; background: none }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
