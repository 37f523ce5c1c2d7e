// Models as good as this one: those stay that look only at columns that are ticked.
(function () {
  "use strict";
  const offered = [...document.querySelectorAll("#near-columns input")];
  offered.forEach((box) => box.addEventListener("change", () => {
    const models = [...document.querySelectorAll("#near tbody tr")];
    for (const model of models) model.hidden = model.dataset.columns.split(" ").some((i) => i && !offered[Number(i)].checked);
    const left = models.filter((model) => !model.hidden).length;
    document.getElementById("near-left").textContent = left ? `${left} of ${models.length} remain.` : "None works without these.";
  }));
})();
