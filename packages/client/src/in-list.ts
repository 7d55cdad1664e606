import { type Failure, MaturityClientError } from "./errors.ts";

/**
 * Turns the error of a part into that of the whole list: paths count from the beginning of the list.
 *
 * @param name the field of the request that holds the list
 * @param offset where the part begins, which is how many entries are stored
 */
export function inList(error: MaturityClientError, name: "scores" | "apps", offset: number): MaturityClientError {
  const moved = (path: string) =>
    path.replace(/^(\w+)\[(\d+)\]/, (whole, list, index) =>
      list === name ? `${name}[${Number(index) + offset}]` : whole,
    );
  const details = error.details.map(({ path, message }) => ({ path: moved(path), message }));
  const { code, status, cause, inDoubt } = error;
  const reason = error.message.replace(/ \(\d+ attempts\)$/, ""); // the new error counts them again
  const faults = details.map((fault) => `${fault.path} ${fault.message}`).join("; ");
  const message = !details.some(({ path }) => path.startsWith(`${name}[`))
    ? reason
    : code === "forbidden" // the details alone do not say whose bound it is
      ? `${reason}: ${faults}`
      : faults;
  const failure: Failure = { code, message, details, cause, inDoubt, ...(status !== undefined && { status }) };
  return new MaturityClientError(failure, error.attempts, offset);
}
