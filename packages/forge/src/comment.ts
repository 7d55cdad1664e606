import type { Api, Forge, Place } from "./forge.ts";

interface Comment {
  readonly id: number;
  readonly body: string;
}

/** A list ends after so many pages of 100 comments. */
const maxPages = 50;

/**
 * Leaves exactly one comment with this marker: edits the one that is there, or makes it. Only comments of the owner of the
 * token count, whatever others write.
 *
 * Two runs at once may both make one. So each lists them again afterwards, and both leave the oldest.
 *
 * @param marker the beginning of the body
 * @throws ForgeError
 */
export async function keepComment(api: Api, forge: Forge, place: Place, marker: string, body: string): Promise<void> {
  const self = await forge.self(api);
  if (self === undefined) throw new Error(`${forge.name} does not say whose token this is`);
  const own = async () =>
    (await list(api, place))
      .filter((comment) => forge.authorOf(comment) === self && comment.body.startsWith(marker))
      .sort((one, other) => one.id - other.id);

  let [first, ...others] = await own();
  if (!first) {
    const made = (await api("POST", place.comments, { body })).data as Comment;
    [first = made, ...others] = await own();
  }
  if (textOf(first) !== textOf({ body })) await api(forge.edit, place.comment + first.id, { body });
  for (const { id } of others) await deleteIfThere(api, place.comment + id);
}

/** All comments of a place. @throws Error if it has more than are read, since the wanted one may be among the others */
async function list(api: Api, { name, comments }: Place): Promise<Comment[]> {
  const found: Comment[] = [];
  let page: string | undefined = "1";
  for (let pages = 0; page !== undefined; pages++) {
    if (pages === maxPages) throw new Error(`${name} has more than ${maxPages} pages of comments`);
    const { data, next } = await api("GET", `${comments}?per_page=100&page=${page}`);
    found.push(...[data].flat().filter(isComment));
    page = next;
  }
  return found;
}

function isComment(item: unknown): item is Comment {
  const { id, body } = Object(item) as Readonly<Record<string, unknown>>;
  return typeof id === "number" && typeof body === "string";
}

/** A body as every server keeps it. */
function textOf({ body }: Pick<Comment, "body">): string {
  return String(body).replaceAll("\r", "").trimEnd();
}

/** Another run may have deleted it as well. */
async function deleteIfThere(api: Api, path: string): Promise<void> {
  try {
    await api("DELETE", path);
  } catch (error) {
    if ((error as { failure?: { status?: number } }).failure?.status !== 404) throw error;
  }
}
