// A scene alone is light or dark as its address asks, or else as the page around it is.

/** Take the theme of the page around, where the browser lets a frame see that: light text stands on dark paper. */
function follow(frame) {
  const root = document.documentElement;
  const around = frame.ownerDocument;
  const take = () => {
    const { color } = around.defaultView.getComputedStyle(frame); // an outline that nobody sees tells its lightness
    root.style.outlineColor = `color-mix(in oklab, ${color}, ${color})`;
    const lightness = parseFloat(getComputedStyle(root).outlineColor.replace(/^\D+/, "")); // none while it is hidden
    if (lightness >= 0) root.dataset.theme = lightness > 0.5 ? "dark" : "light";
    for (const { finished } of frame.getAnimations()) finished.then(take, take); // it was not the last colour yet
  };
  frame.style.setProperty("transition", "color 1ms", "important"); // so that its end tells every change, whatever it was made by
  for (const name of ["transitionend", "transitioncancel"]) frame.addEventListener(name, take);
  new ResizeObserver(take).observe(root); // what was hidden meanwhile had no transition
  const changes = new MutationObserver(take); // nor has what is hidden and shown at once, as JupyterLab does it
  for (const one of [around.documentElement, around.body]) changes.observe(one, { attributes: true });
  take();
}

const asked = new URLSearchParams(location.search).get("theme");
if (asked === "light" || asked === "dark") document.documentElement.dataset.theme = asked;
else if (globalThis.frameElement) follow(frameElement);
