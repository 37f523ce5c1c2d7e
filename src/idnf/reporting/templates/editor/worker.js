// The worker: it holds the grid, and answers for the newest lines it was sent, first the verdict and then what mends it.
(() => {
  "use strict";
  let grid = null;

  self.addEventListener("message", ({ data }) => {
    if (data.open) {
      grid = editorGrid.open(data.open);
      return;
    }
    const { ticket, lines, k, milliseconds } = data, start = performance.now();
    const verdict = editorVerdict.judge(grid, lines, k, milliseconds);
    self.postMessage({ ticket, verdict, milliseconds: performance.now() - start });
    if (verdict.answer === "broken") self.postMessage({ ticket, mends: editorMends.mends(grid, lines, k, data.mending) });
  });
})();
