import { type ReadonlySignal, signal } from "@preact/signals";

/** What the address may say, in the order in which it says it. */
const names = [
  "view",
  "env",
  "area",
  "team",
  "app",
  "metric",
  "campaign",
  "by",
  "missing",
  "former",
  "severity",
  "state",
  "level",
  "reach",
  "never",
  "owner",
  "tier",
  "label",
  "other",
  "silent",
  "ended",
  "type",
  "waives",
  "kind",
  "who",
  "ends",
  "since",
  "small",
  "days",
  "below",
  "q",
  "sort",
  "all",
] as const;

/** The whole state of the page, as the query of its address holds it. */
export type Place = Readonly<Partial<Record<(typeof names)[number], string>>>;

const lists = [
  "teams",
  "applications",
  "levels",
  "compare",
  "metric",
  "stale",
  "changes",
  "problems",
  "waivers",
  "waiting",
  "asked",
  "campaigns",
  "campaign",
  "happened",
  "sheet",
  "yours",
] as const;

export type View = "organisation" | "team" | "application" | (typeof lists)[number];

/** Which screen shows a place: the one it names, otherwise that of the deepest name in it. */
export function viewOf({ view, area, team, app }: Place): View {
  const list = lists.find((one) => one === view);
  if (list) return list;
  if (area === undefined || team === undefined) return "organisation";
  return app === undefined ? "team" : "application";
}

/** Reads the query of an address. What it does not know, and what is empty, it leaves out. */
export function placeOf(query: string): Place {
  const given = new URLSearchParams(query);
  return Object.fromEntries(names.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])));
}

/** The query of a place, `?` included: equal places have equal queries. */
export function hrefOf(place: { readonly [Name in keyof Place]: string | undefined }): string {
  const given = names.flatMap((name) => (place[name] ? [[name, place[name]] as const] : []));
  return `?${given.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}`;
}

/** A list has hundreds of links, and most names are plain. */
function encoded(value: string): string {
  return plain.test(value) ? value : String(new URLSearchParams({ "": value })).slice(1);
}

const plain = /^[\w.-]+$/;

const current = signal<Place>({});

/** Where the page is. */
export const place: ReadonlySignal<Place> = current;

/** The least time between two changes of the address without a step back, in milliseconds: Safari refuses 100 in 30 s. */
const pauseMs = 350;

let writtenAt = Number.NEGATIVE_INFINITY;
let unwritten: ReturnType<typeof setTimeout> | undefined;

function writeAddress(): void {
  clearTimeout(unwritten);
  unwritten = undefined;
  writtenAt = performance.now();
  history.replaceState(null, "", hrefOf(current.value));
}

/** Writes what waits for the end of a pause. */
function writeWaiting(): void {
  if (unwritten !== undefined) writeAddress();
}

/** Goes somewhere else: `replace` without a step back, for what is typed or chosen by default. */
export function go(href: string, { replace = false } = {}): void {
  const next = placeOf(href);
  if (hrefOf(next) === hrefOf(current.value)) return;
  if (replace) {
    current.value = next;
    const restMs = writtenAt + pauseMs - performance.now();
    if (restMs <= 0) writeAddress();
    else unwritten ??= setTimeout(writeAddress, restMs);
    return;
  }
  writeWaiting();
  history.pushState(null, "", href);
  current.value = next;
  scrollTo(0, 0);
}

/** The whole address of the place. */
export function addressOfPlace(): string {
  writeWaiting();
  return location.href;
}

/** Changes a part of the place, and leaves the rest. */
export function change(part: Parameters<typeof hrefOf>[0], options?: { readonly replace?: boolean }): void {
  go(hrefOf({ ...current.value, ...part }), options);
}

/** Follows the address bar, the arrows of the browser, and plain clicks on links that begin with `?`. */
export function followAddress(): void {
  const read = () => {
    clearTimeout(unwritten);
    unwritten = undefined;
    current.value = placeOf(location.search);
  };
  read();
  addEventListener("popstate", read);
  addEventListener("pagehide", writeWaiting);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="?"]');
    const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "?");
  });
}
