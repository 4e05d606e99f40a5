// Keys that a scene answers when it has the focus, and none of its controls takes them; and arrows that lead about.
export const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const ACTS = {
  ArrowLeft: (player) => player.go(player.step - 1),
  End: (player) => player.go(Infinity),
  Home: (player) => player.go(1),
  ArrowRight: (player) => player.go(player.step + 1),
  " ": (player) => player.play.toggle(),
};

/** From one of several to the one before or behind it, round and round. */
export function walk(all, here, [x, y]) {
  all.at((all.indexOf(here) + x + y) % all.length).focus();
}

export function pressed(player, event) {
  const { key, target } = event;
  if (!ACTS[key] || player.closed || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.closest("input, select, summary, .table")) return;
  if (key === " " && target.closest("button, a, [role=button]")) return;
  event.preventDefault();
  ACTS[key](player);
}
