// The worker: it holds the grid, and answers for the newest lines it was sent, first the verdict and then what mends it.
(() => {
  "use strict";
  const PAUSE = 30;
  let grid = null, newest = 0;

  self.addEventListener("message", ({ data }) => {
    if (data.open) {
      grid = editorGrid.open(data.open);
      return;
    }
    newest = data.ticket;
    const verdict = editorVerdict.judge(grid, data.lines, data.k, data.milliseconds);
    self.postMessage({ ticket: data.ticket, verdict });
    if (verdict.answer === "broken") mend(data);
  });

  // Looks for edits that mend; lets newer lines in now and then, and stops for them.
  async function mend({ ticket, lines, k, mending }) {
    const mends = [];
    let since = performance.now();
    for (const found of editorMends.search(grid, lines, k, mending)) {
      if (found) mends.push(found);
      if (performance.now() - since < PAUSE) continue;
      await new Promise((go) => setTimeout(go, 0));
      if (ticket !== newest) return;
      since = performance.now();
    }
    self.postMessage({ ticket, mends });
  }
})();
