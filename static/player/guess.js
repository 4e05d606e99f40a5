// The question before a scene: the scene answers when the reader has guessed, or wants to be shown.
import { ARROWS, walk } from "./keys.js";

export function guess(player) {
  const { figure } = player;
  const predict = figure.closest(".predict");
  if (!predict) return;
  const question = predict.querySelector(".guess");
  const reveal = () => {
    predict.classList.add("open");
    if (player.hydrated) player.update();
  };
  question.addEventListener("change", reveal);
  question.addEventListener("click", ({ target }) => {
    if (!target.dataset.part) return;
    reveal();
    figure.focus(); // the button is gone
  });
  question.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!ARROWS[key] || !player.closed) return;
    event.preventDefault(); // an arrow would choose, and a guess is made once
    walk([...question.querySelectorAll("input")], target, ARROWS[key]);
  });
}
