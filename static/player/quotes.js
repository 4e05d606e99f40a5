// Numbers in the prose that follow a scene, but for the parameters that their author pinned.
export class Quotes {
  constructor(id) {
    this.nodes = [...document.querySelectorAll(`[data-value^="${id}."]`)];
    this.skip = id.length + 1;
  }

  /** Bring them to the scene's state. */
  follow(player) {
    return Promise.all(this.nodes.map((node) => this.bring(node, player)));
  }

  async bring(node, player) {
    const of = (at) => player.settled(player.places(node.dataset.pins, at).at).join(".");
    const key = of(player.at);
    if (!node.moved && key === of(player.config.start)) return; // as it was written
    node.moved = true;
    const { variants } = await player.load(key.split(".").map(Number));
    const value = variants[key].values[node.dataset.value.slice(this.skip)];
    if (key === of(player.at) && node.textContent !== value) node.textContent = value;
  }
}
