// The softmax search on a circle, recomputed as the temperature moves. Plain JavaScript, no library.
(function () {
  "use strict";

  // Probability with which each of n equally spaced points is returned for the query at angle 0.
  function search(n, tau) {
    var weights = [], total = 0;
    for (var i = 0; i < n; i++) {
      var similarity = Math.cos((2 * Math.PI * i) / n);
      weights.push(Math.exp((similarity - 1) / tau));
      total += weights[i];
    }
    return weights.map(function (w) { return w / total; });
  }

  function effective(q) {
    var entropy = 0;
    q.forEach(function (p) { if (p > 0) entropy -= p * Math.log(p); });
    return Math.exp(entropy);
  }

  function start() {
    var frame = document.getElementById("temperature");
    if (!frame) return;
    var n = Number(frame.dataset.points);
    var slider = document.getElementById("temperature-tau");

    function draw() {
      var tau = Math.pow(10, Number(slider.value));
      var q = search(n, tau);
      var height = 200, base = 230, left = 30, width = 600 / n;
      var marks = q.map(function (p, i) {
        // From the opposite point, through the query in the middle, and back.
        var place = (i + n / 2) % n;
        return '<rect class="bar" x="' + (left + place * width + 4).toFixed(1) + '" y="' +
          (base - height * p).toFixed(1) + '" width="' + (width - 8).toFixed(1) + '" height="' +
          (height * p).toFixed(1) + '"/>';
      });
      [[Math.exp(2 / tau) / n, "upper bound"], [Math.exp(-2 / tau) / n, "lower bound"]].forEach(function (b) {
        if (b[0] > 1.05) return;
        var y = (base - height * b[0]).toFixed(1);
        marks.push('<path class="bound" d="M' + left + " " + y + 'H630"/>');
      });
      marks.push('<path class="axis" d="M' + left + " 20V" + base + 'H630"/>');
      marks.push('<text x="' + (left - 6) + '" y="34" text-anchor="end">1</text>');
      marks.push('<text x="' + (left - 6) + '" y="' + base + '" text-anchor="end">0</text>');
      marks.push('<text x="' + (left + (n / 2 + 0.5) * width) + '" y="' + (base + 20) + '" text-anchor="middle">query</text>');
      marks.push('<text transform="translate(18 ' + (base - height / 2) + ') rotate(-90)" text-anchor="middle">probability</text>');
      document.getElementById("temperature-plot").innerHTML = marks.join("");
      document.getElementById("temperature-value").textContent = "τ = " + tau.toPrecision(3);
      document.getElementById("temperature-said").textContent =
        "The most similar point is returned with probability " + q[0].toFixed(3) +
        "; the search chooses among " + effective(q).toFixed(1) + " points of " + n + ".";
    }

    slider.addEventListener("input", draw);
    draw();
  }

  window.companionSearch = { search: search, effective: effective };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
