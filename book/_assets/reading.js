// Small helps for every page: formulas are typeset when they come into view with their fold, what scrolls can
// be reached by keyboard, a link into a folded proof opens it, and proofs are printed open. No library.
(function () {
  "use strict";

  var SCROLLS = 'mjx-container[display="true"], td mjx-container, .wide-table, div.highlight pre, div.math';
  var FORMULAS = ".math:not(.output_area .math), .output_area";

  function reach() {
    document.querySelectorAll(SCROLLS).forEach(function (frame) {
      if (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight) {
        frame.setAttribute("tabindex", "0");
      }
    });
  }

  // What is shown and not yet typeset: a long page has a thousand formulas in closed folds.
  function waiting() {
    return Array.from(document.querySelectorAll(FORMULAS)).filter(function (formula) {
      if (formula.dataset.typeset) return false;
      for (var at = formula; at; at = at.parentElement) {
        var parent = at.parentElement;
        if (parent && parent.tagName === "DETAILS" && !parent.open && at.tagName !== "SUMMARY") return false;
      }
      formula.dataset.typeset = "yes";
      return true;
    });
  }

  var queue = null;

  // Typeset what is in view; the promise is kept when that is done.
  function typeset() {
    queue = (queue || MathJax.startup.promise)
      .then(function () { return MathJax.typesetPromise(waiting()); })
      .then(reach);
    return queue;
  }

  function unfold() {
    var id = decodeURIComponent(location.hash.slice(1));
    var target = id && document.getElementById(id);
    if (!target) return;
    var folded = false;
    for (var at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS" && !at.open) {
        at.open = true;
        folded = true;
      }
    }
    if (folded && window.MathJax) typeset().then(function () { target.scrollIntoView(); });
  }

  function start() {
    unfold();
    window.addEventListener("hashchange", unfold);
    window.addEventListener("resize", reach);
    if (!window.MathJax) return reach();
    window.addEventListener("beforeprint", function () {
      document.querySelectorAll("details.proof-fold").forEach(function (fold) { fold.open = true; });
      MathJax.typeset(waiting());
    });
    document.addEventListener("toggle", typeset, true);
    typeset().then(function () {
      var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) target.scrollIntoView();
    });
  }

  window.companionTypeset = typeset;
  window.addEventListener("load", start);
})();
