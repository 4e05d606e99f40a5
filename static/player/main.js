// Starts everything on a page. Each part works without the others.
import { watch } from "./address.js";
import { cards } from "./cards.js";
import { contents, switches } from "./page.js";
import { Player } from "./scene.js";

/** Say in words that a scene can't play; its picture, its sentences and its table stay. */
function explain(figure, error) {
  const note = document.createElement("p");
  note.className = "trouble";
  note.setAttribute("role", "status");
  note.textContent = `This scene can’t be played here (${error.message}). Its picture and its steps in words stay.`;
  figure.classList.add("still");
  figure.querySelector(".stage").after(note);
}

switches(document);
contents(document);
cards(document);
const players = new Map();
for (const figure of document.querySelectorAll("[data-scene]")) {
  players.set(figure.dataset.scene, new Player(figure, explain));
}
watch(players);
