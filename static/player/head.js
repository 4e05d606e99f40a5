// Runs before the first paint, so that nothing moves or changes colour later: it recalls the reader's switches
// and says that script is on. If the player then can't be had, it says that script is off after all.
// A page that is read from its beginning need not be whole at once; elsewhere in it a place has to be found.
const root = document.documentElement;
root.classList.add("js");
root.classList.toggle("fresh", !location.hash && !history.state);
try {
  for (const name of ["theme", "motion"]) {
    const value = localStorage.getItem(`loom-${name}`);
    if (value) root.dataset[name] = value;
  }
} catch {
  // Storage is off: the switches still work, they are only not remembered.
}
addEventListener("error", (event) => {
  if (event.target instanceof HTMLScriptElement) root.classList.remove("js");
}, true);
