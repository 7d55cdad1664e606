/** The environment variables that a text names as `${NAME}`. */
const variable = /\$\{(\w+)\}/g;

/** A text with the variables of the environment filled in; `missing` are those that are not set, or empty. */
export function fillIn(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const filled = text.replace(variable, (_, name: string) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (!value) missing.push(name);
    return value ?? "";
  });
  return { text: filled, missing };
}

/** A text for people, without any of these secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .sort((one, other) => other.length - one.length)
    .reduce((clean, secret) => (secret === "" ? clean : clean.replaceAll(secret, "***")), text);
}
