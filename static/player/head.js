// Runs before the first paint, so that nothing moves or changes colour later: it recalls the reader's switches
// and says that script is on. If the player then can't be had, it says that script is off after all.
// A page that is read from its beginning need not be whole at once; elsewhere in it a place has to be found.
const root = document.documentElement;
root.className = location.hash || history.state ? "js" : "js fresh";
onload = () => {
  const height = innerHeight; // a picture of the whole page begins with a window that is told to change and does not
  onresize = () => height === innerHeight && root.classList.remove("fresh");
};
try {
  for (const name of ["theme", "motion"]) {
    const value = localStorage.getItem(`loom-${name}`);
    if (value) root.dataset[name] = value;
  }
} catch {
  // Storage is off: the switches still work, they are only not remembered.
}
addEventListener("error", (event) => event.target instanceof HTMLScriptElement && (root.className = ""), true);
