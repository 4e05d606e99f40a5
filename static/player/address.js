// The address bar: `#scene?parameter=value&step=3`, both ways, with the back button.
let players = new Map();
let timer;
let owner = ""; // the scene whose state the address names
let before; // where the reader was when the hand began to move something

/** The scene and the query in a fragment. */
export function parse(hash) {
  const [id, query = ""] = hash.slice(1).split("?");
  return { id, query };
}

/** Follow the address from now on, beginning with the one the page was opened with. */
export function watch(all) {
  players = all;
  follow();
  history.replaceState(states(), "");
  addEventListener("popstate", follow);
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href*='#']");
    if (!link || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { id, query } = parse(link.hash);
    if (!players.has(id) || !query || link.download) return;
    event.preventDefault();
    open(id, query);
    keep("push", id);
  });
}

/** The hand begins to move something: until it lets go the address follows it, and no entry of the history is made. */
export function dragging() {
  before ??= { state: history.state, href: location.href };
}

/** Put the reader's state into the address: a new entry for a new choice, the same entry for a step. */
export function keep(how, id) {
  owner = id;
  if (how === "push" && before) {
    history.replaceState(before.state, "", before.href); // the way back leads to where the hand began
    before = null;
  }
  if (how === "push" && history.state?.[id] !== states()[id]) write(how);
  else timer ||= setTimeout(write, 250, "replace"); // browsers refuse a flood, as a held-down key makes
}

function write(how) {
  rest();
  history[`${how}State`](states(), "", `#${players.get(owner).fragment()}`);
}

function rest() {
  timer = clearTimeout(timer); // which gives nothing: there is none
}

/** Bring every scene to what this entry of the history holds: after a reload, and with the back button. */
function follow() {
  rest();
  before = null;
  const { id, query } = parse(location.hash);
  if (history.state) for (const [name, player] of players) player.restore(history.state[name] ?? "");
  else if (players.has(id) && query) open(id, query);
}

function open(id, query) {
  const player = players.get(id);
  player.restore(query);
  if (parent !== window) return; // in a frame it is all there is, and the reader is in the page around it
  player.figure.scrollIntoView({ block: "nearest" });
  player.figure.focus({ preventScroll: true });
}

function states() {
  return Object.fromEntries([...players].map(([name, player]) => [name, parse(player.fragment()).query]));
}
