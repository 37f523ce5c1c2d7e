// The edits in order, with undo and redo. Moving a cut on is one edit with the move before it, unless that has a note.
const editorHistory = (() => {
  "use strict";

  function start() {
    let done = [], undone = [];

    const sameCondition = (one, other) =>
      one && one.kind === "condition" && other.kind === "condition" && one.line === other.line && one.column === other.column && !one.note;

    function push(edit) {
      undone = [];
      const last = done.at(-1);
      if (!sameCondition(last, edit)) done.push(edit);
      else if (JSON.stringify(last.old) === JSON.stringify(edit.new)) done.pop();
      else done[done.length - 1] = { ...edit, old: last.old };
    }

    function undo() {
      if (done.length) undone.push(done.pop());
    }

    function redo() {
      if (undone.length) done.push(undone.pop());
    }

    function reset() {
      undone = done.reverse();
      done = [];
    }

    function note(place, text) {
      done[place] = { ...done[place], note: text };
    }

    return { push, undo, redo, reset, note, edits: () => done, canRedo: () => undone.length > 0 };
  }

  return { start };
})();
