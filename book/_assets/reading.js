// Small helps for every page: what scrolls can be reached by keyboard, a link into a folded proof opens it,
// and proofs are printed open. Plain JavaScript, no library.
(function () {
  "use strict";

  var SCROLLS = 'mjx-container[display="true"], .wide-table, div.highlight pre, div.math';

  function reach() {
    document.querySelectorAll(SCROLLS).forEach(function (frame) {
      if (frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1) {
        frame.setAttribute("tabindex", "0");
      }
    });
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
    if (folded) target.scrollIntoView();
  }

  function start() {
    unfold();
    window.addEventListener("hashchange", unfold);
    window.addEventListener("resize", reach);
    window.addEventListener("beforeprint", function () {
      document.querySelectorAll("details.proof-fold").forEach(function (fold) { fold.open = true; });
    });
    document.addEventListener("toggle", reach, true);
    var typeset = window.MathJax && window.MathJax.startup && window.MathJax.startup.promise;
    Promise.resolve(typeset).then(function () { unfold(); reach(); });
  }

  window.addEventListener("load", start);
})();
