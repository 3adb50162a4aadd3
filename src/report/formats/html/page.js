for (const story of document.querySelectorAll(".story")) stepThrough(story);
// Texts that are folded on the screen are whole on paper.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => { for (const details of folded) details.open = false; });
