// Stepping through a story: buttons, arrow keys, and the estimate lit up in the drawing. The report page and the playground share it.

const list = (text) => (text ? text.split(" ") : []);

/**
 * Highlights the states and the transitions (`"0-1"`) of the drawings inside an element; states are numbers as text. The drawings of parts
 * have numbers of their own: they are left to `lightPart`.
 *
 * @param {Element} element
 * @param {{ lit: Set<string>, lost?: Set<string>, run?: Set<string>, exposed?: boolean }} states
 */
export function light(element, { lit, lost = new Set(), run = new Set(), exposed = false }) {
  const own = (each) => each.closest("[data-part]") === element.closest("[data-part]");
  for (const node of [...element.querySelectorAll(".node")].filter(own)) {
    const states = list(node.dataset.states);
    const isLit = states.some((state) => lit.has(state));
    node.classList.toggle("highlight", isLit && !exposed);
    node.classList.toggle("exposed", isLit && exposed);
    node.classList.toggle("fading", !isLit && states.some((state) => lost.has(state)));
    node.classList.toggle("out", !isLit);
  }
  for (const edge of [...element.querySelectorAll(".edge")].filter(own)) {
    edge.classList.toggle("highlight", run.has(`${edge.dataset.source}-${edge.dataset.target}`));
  }
}

/**
 * Highlights the possible states of one part; those that were possible before and are not any more fade.
 *
 * @param {HTMLElement} part
 * @param {string[]} states
 * @param {boolean} exposed
 * @param {string[]} before
 */
export function lightPart(part, states, exposed = false, before = []) {
  const lit = new Set(states);
  light(part, { lit, lost: new Set(before), exposed });
  reveal(part);
}

/** Moves a drawing that is larger than its frame, so that the first possible state is in sight. */
function reveal(part) {
  const frame = part.querySelector(".drawing");
  const node = part.querySelector(".node.highlight, .node.exposed");
  if (!frame || !node) return;
  const [outer, inner] = [frame.getBoundingClientRect(), node.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

/** The possible states of each part, of `0:1 2;1:0`. */
const partsOf = (item) => new Map((item?.dataset.parts ?? "").split(";").filter(Boolean).map((part) => part.split(":")).map(([at, states]) => [at, list(states)]));

/**
 * Adds stepping to a story; `moved` is told the item of the list that is shown.
 *
 * @param {HTMLElement} story
 * @param {(item: HTMLElement) => void} moved
 */
export function stepThrough(story, moved = (_item) => {}) {
  const steps = [...story.querySelectorAll(".steps > li")];
  const controls = story.querySelector(".controls");
  if (!controls || steps.length < 2) return;
  const where = controls.querySelector(".where");
  const button = (name) => controls.querySelector(`[data-go=${name}]`);
  let now = steps.length - 1;

  function show(step) {
    now = Math.max(0, Math.min(steps.length - 1, step));
    const item = steps[now];
    const lit = new Set(list(item.dataset.lit));
    const lost = new Set(list(item.dataset.lost));
    const run = new Set(list(item.dataset.run));
    const exposed = "exposed" in item.dataset;
    steps.forEach((other, at) => {
      other.classList.toggle("current", at === now);
      other.classList.toggle("later", at > now);
      if (at === now) other.setAttribute("aria-current", "step"); else other.removeAttribute("aria-current");
    });
    light(story, { lit, lost, run, exposed });
    const before = partsOf(steps[now - 1]);
    for (const [at, states] of partsOf(item)) {
      const part = story.querySelector(`[data-part="${at}"]`);
      if (part) lightPart(part, states, exposed && "asked" in part.dataset, before.get(at));
    }
    for (const row of story.querySelectorAll("[data-step]")) {
      row.classList.toggle("current", row.dataset.step === String(item.value));
      row.classList.toggle("later", Number(row.dataset.step) > item.value);
    }
    const seen = item.dataset.seen ? `seen so far: ${item.dataset.seen}` : "nothing seen yet";
    where.textContent = `Step ${item.value} of ${steps[steps.length - 1].value}; ${seen}`;
    const focused = controls.querySelector("button:focus");
    button("first").disabled = button("back").disabled = now === 0;
    button("last").disabled = button("next").disabled = now === steps.length - 1;
    // WHY: a button that is disabled hears no more keys.
    if (focused?.disabled) story.focus({ preventScroll: true });
    moved(item);
  }

  const go = { first: () => show(0), back: () => show(now - 1), next: () => show(now + 1), last: () => show(steps.length - 1) };
  controls.addEventListener("click", (event) => {
    const target = event.target.closest("[data-go]");
    if (target) go[target.dataset.go]();
  });
  const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last" };
  story.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    go[keys[event.key]]();
  });
  // On paper the picture shows what the story comes to.
  let before = 0;
  addEventListener("beforeprint", () => { before = now; show(steps.length - 1); });
  addEventListener("afterprint", () => show(before));
  story.tabIndex = 0;
  story.classList.add("stepped");
  controls.hidden = false;
  show(0);
}
