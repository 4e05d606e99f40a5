// A scene alone is light or dark as its address asks, or else as the page around it is.

/** Take the theme of the page around, where the browser lets a frame see that: light text stands on dark paper. */
function follow(frame) {
  const root = document.documentElement;
  const take = () => {
    const { color } = frame.ownerDocument.defaultView.getComputedStyle(frame); // an outline that nobody sees tells its lightness
    root.style.outlineColor = `color-mix(in oklab, ${color}, ${color})`;
    const [lightness] = getComputedStyle(root).outlineColor.match(/[\d.]+/);
    root.dataset.theme = lightness > 0.5 ? "dark" : "light";
  };
  frame.style.setProperty("transition", "color 1ms", "important"); // so that its end tells every change, whatever it was made by
  for (const name of ["transitionend", "transitioncancel"]) frame.addEventListener(name, take);
  new ResizeObserver(take).observe(root); // what was hidden meanwhile had no transition
  take();
}

const asked = new URLSearchParams(location.search).get("theme");
if (asked === "light" || asked === "dark") document.documentElement.dataset.theme = asked;
else if (globalThis.frameElement) follow(frameElement);
