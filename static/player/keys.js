// Keys that a scene answers when it has the focus, and none of its controls takes them.
const ACTS = {
  ArrowLeft: (player) => player.go(player.step - 1),
  End: (player) => player.go(Infinity),
  Home: (player) => player.go(1),
  ArrowRight: (player) => player.go(player.step + 1),
  " ": (player) => player.play.toggle(),
};

export function pressed(player, event) {
  const { key, target } = event;
  if (!ACTS[key] || player.closed || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.closest("input, select, summary, .table")) return;
  if (key === " " && target.closest("button, a, [role=button]")) return;
  event.preventDefault();
  ACTS[key](player);
}
