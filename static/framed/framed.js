// A scene alone: tells the page that frames it how tall it is, and offers what one has to paste to frame it.
// In the documentation of other generators its frame is of the same site: there it is as tall at once.
/** What another page needs to show the scene as it stands here, in a frame that is as tall as the scene. */
function snippet() {
  const frame = document.createElement("iframe");
  const told = { src: location.href, title: document.querySelector("h1").textContent, width: "100%", height: "700", loading: "lazy" };
  for (const [name, value] of Object.entries(told)) frame.setAttribute(name, value);
  return `${frame.outerHTML}
<script>
addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === source && data.loom === "height") frame.height = data.height;
  }
});
</script>`;
}

addEventListener("DOMContentLoaded", () => {
  const scene = document.querySelector("[data-scene]").dataset.scene;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ loom: "height", scene, height }, "*"); // whoever frames it may know: it is no secret
    if (globalThis.frameElement?.classList.contains("loom-scene")) frameElement.style.height = `${height}px`;
  };
  if (parent !== window) new ResizeObserver(tell).observe(document.body);

  const offer = document.querySelector(".snippet");
  const [text, copy] = ["textarea", "button"].map((name) => offer.querySelector(name));
  offer.hidden = false;
  copy.hidden = !navigator.clipboard;
  offer.addEventListener("toggle", () => {
    text.value = snippet();
    copy.textContent = phrase`Copy`;
  });
  copy.addEventListener("click", () => navigator.clipboard.writeText(text.value).then(() => {
    copy.textContent = phrase`Copied`;
  }, () => text.select())); // a frame may not write into the clipboard by itself
});
