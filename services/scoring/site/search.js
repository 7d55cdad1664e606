// Finds sections that have every word of the query; those with the words in their headings come first.
const query = document.getElementById("query");
const found = document.getElementById("found");
let sections;

async function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  sections ??= await (await fetch("search.json")).json();
  const inAll = (text) => words.every((word) => text.toLowerCase().includes(word));
  const hits = sections
    .filter((section) => inAll(section.join(" ")))
    .map((section) => [inAll(section[2]) ? 0 : inAll(`${section[1]} ${section[2]}`) ? 1 : 2, section])
    .sort(([one], [other]) => one - other)
    .slice(0, 20);
  found.replaceChildren(...hits.map(([, section]) => itemOf(section, words[0])));
  if (hits.length === 0) found.append("Nothing has all of these words.");
}

function itemOf([page, title, heading, anchor, text], word) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${page}#${anchor}`;
  link.textContent = title === heading ? title : `${title}: ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  item.append(link, ` ${text.slice(at, at + 160)}`);
  return item;
}

query.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
