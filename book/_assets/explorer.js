// The explorer: risks, limits and bounds on a sphere, computed in the page. Plain JavaScript, no library.
//
// With Y = exp(s/tau) scaled to mean 1, risk - limit = int -e^{-t} expm1(k l(t/k) + lam(t/k)) dt/t,
// where l(w) = log E e^{-w(Y-1)} and lam(w) = log E e^{-w Y_+} (0 for DCL): a trapezoid in log t.
(function () {
  "use strict";

  var STEP = Math.LN2 / 3; // so that doubling k moves by three nodes

  // Gauss-Legendre nodes and weights on [0, pi], by Newton's method.
  function gaussLegendre(n) {
    var nodes = [], weights = [];
    for (var i = 0; i < n; i++) {
      var x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5)), slope = 1;
      for (var round = 0; round < 50; round++) {
        var a = 1, b = x;
        for (var j = 2; j <= n; j++) {
          var c = ((2 * j - 1) * x * b - (j - 1) * a) / j;
          a = b;
          b = c;
        }
        slope = (n * (x * b - a)) / (x * x - 1);
        var move = b / slope;
        x -= move;
        if (Math.abs(move) < 1e-16) break;
      }
      nodes.push((Math.PI * (x + 1)) / 2);
      weights.push(Math.PI / ((1 - x * x) * slope * slope));
    }
    return { nodes: nodes, weights: weights };
  }

  var quadrature = gaussLegendre(240);

  // Similarities on S^{d-1} as atoms: p for negatives, m for von Mises-Fisher positives.
  function atoms(d, conc) {
    var s = [], p = [], m = [], sumP = 0, sumM = 0;
    quadrature.nodes.forEach(function (angle, i) {
      var weight = quadrature.weights[i] * Math.pow(Math.sin(angle), d - 2);
      s.push(Math.cos(angle));
      p.push(weight);
      m.push(weight * Math.exp(conc * (s[i] - 1)));
      sumP += p[i];
      sumM += m[i];
    });
    return {
      s: s,
      p: p.map(function (x) { return x / sumP; }),
      m: m.map(function (x) { return x / sumM; })
    };
  }

  // e^x - 1 - x without cancellation.
  function phi2(x) {
    if (Math.abs(x) > 0.3) return Math.expm1(x) - x;
    var term = (x * x) / 2, sum = term;
    for (var j = 3; j < 17; j++) {
      term *= x / j;
      sum += term;
    }
    return sum;
  }

  // A world at one temperature: the exponentials scaled to mean 1, and the limit.
  function world(tau, d, conc) {
    var law = atoms(d, conc), scaled = [], mu = 0, meanPositive = 0;
    law.s.forEach(function (s, i) {
      scaled.push(Math.exp((s - 1) / tau));
      mu += law.p[i] * scaled[i];
      meanPositive += law.m[i] * s;
    });
    var Y = scaled.map(function (y) { return y / mu; });
    return {
      Y: Y,
      p: law.p,
      m: law.m,
      least: Math.min.apply(null, Y),
      limit: Math.log(mu) + (1 - meanPositive) / tau
    };
  }

  // log E e^{-wY} + w and log E e^{-wY_+}, each to full relative accuracy when small.
  function transforms(law, w) {
    var small = 0, positive = 0, tail = 0, tailPositive = 0, i;
    if (w < 30) {
      for (i = 0; i < law.Y.length; i++) {
        small += law.p[i] * phi2(-w * (law.Y[i] - 1));
        positive += law.m[i] * Math.expm1(-w * law.Y[i]);
      }
      return { l: Math.log1p(small), lam: Math.log1p(positive) };
    }
    for (i = 0; i < law.Y.length; i++) {
      var decay = Math.exp(-w * (law.Y[i] - law.least));
      tail += law.p[i] * decay;
      tailPositive += law.m[i] * decay;
    }
    return { l: w * (1 - law.least) + Math.log(tail), lam: Math.log(tailPositive) - w * law.least };
  }

  // Biases of both losses at k.
  function bias(law, k) {
    var dcl = 0, infonce = 0, high = Math.log(800 / law.least + 800);
    for (var u = -40; u < high; u += STEP) {
      var t = Math.exp(u), found = transforms(law, t / k);
      dcl += part(t, k * found.l);
      infonce += part(t, k * found.l + found.lam);
    }
    return { dcl: dcl * STEP, infonce: infonce * STEP };
  }

  // -e^{-t} expm1(x)
  function part(t, x) {
    return Math.abs(x) < 1 ? -Math.exp(-t) * Math.expm1(x) : Math.exp(-t) - Math.exp(x - t);
  }

  function evaluate(at) {
    var law = world(at.tau, at.d, at.conc), found = bias(law, at.k);
    return {
      limit: law.limit,
      bias: found.infonce,
      risk: law.limit + found.infonce,
      dclBias: found.dcl,
      dclRisk: law.limit + found.dcl
    };
  }

  // The bounds, printed and sharp, on limit - risk (`below`) and on risk - limit (`above`).
  function bounds(tau, k) {
    var t = 1 / tau, x = Math.exp(-2 * t);
    var curvature = (x - 1 + 2 * t) / Math.pow(1 - x, 2); // g(e^{-2t})
    var gamma = (2 * curvature * (Math.cosh(t) - 1)) / k;
    return {
      printedBelow: Math.pow(Math.expm1(2 * t), 2) / (8 * k),
      printedAbove: Math.log1p(Math.exp(2 * t) / k),
      sharpBelow: Math.min(gamma, t + Math.log1p(x) - Math.LN2),
      sharpAbove: Math.log1p(Math.exp(t) / k)
    };
  }

  // Negatives that bring the bias of the risk within the target, on both sides.
  function needed(tau, target) {
    var t = 1 / tau, x = Math.exp(-2 * t), rest = Math.expm1(target);
    var curvature = (x - 1 + 2 * t) / Math.pow(1 - x, 2);
    return {
      printed: Math.max(Math.pow(Math.expm1(2 * t), 2) / (8 * target), Math.exp(2 * t) / rest),
      sharp: Math.max((2 * curvature * (Math.cosh(t) - 1)) / target, Math.exp(t) / rest)
    };
  }

  // The term of the generalisation bound that the sample size n alone decides, at confidence 1 - delta.
  function variability(tau, k, n, delta) {
    var t = 1 / tau;
    // log((1 + k e^{2t})/(1 + k e^{-2t})), which does not overflow
    var range = 2 * t + Math.log(k + Math.exp(-2 * t)) - Math.log1p(k * Math.exp(-2 * t));
    return {
      printed: 12 * t * Math.sqrt(Math.log(2 / delta) / (2 * n)),
      sharp: 2 * range * Math.sqrt(Math.log(1 / delta) / (2 * n))
    };
  }

  window.companionExplorer = { evaluate: evaluate, bounds: bounds, needed: needed, variability: variability };

  // The page -----------------------------------------------------------------------------------

  var WIDTH = 680, HEIGHT = 380, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 46;
  var DECADES = { from: 0, to: 9 };

  function round(x, digits) {
    if (!isFinite(x)) return "beyond floating point";
    var size = Math.abs(x), text;
    if (x === Math.round(x) && size < 1e6) text = String(x);
    else if (size < 1e-3 || size >= 1e6) text = x.toExponential(digits - 1).replace("e+", "e");
    else text = x.toPrecision(digits);
    return text.replace(/-/g, "\u2212");
  }

  function start() {
    if (!document.getElementById("explorer-frame")) return;
    var names = ["tau", "k", "d", "conc", "n"];
    var sliders = {};
    names.forEach(function (name) { sliders[name] = document.getElementById("explorer-" + name); });

    function settings() {
      return {
        tau: Math.pow(10, Number(sliders.tau.value)),
        k: Math.round(Math.pow(10, Number(sliders.k.value))),
        d: Number(sliders.d.value),
        conc: Number(sliders.conc.value),
        n: Math.round(Math.pow(10, Number(sliders.n.value)))
      };
    }

    function draw() {
      var at = settings(), found = evaluate(at), limits = bounds(at.tau, at.k);
      var law = world(at.tau, at.d, at.conc), curve = [];
      for (var e = DECADES.from; e <= DECADES.to + 1e-9; e += 0.25) {
        var k = Math.pow(10, e);
        curve.push({ k: k, bias: bias(law, k), bounds: bounds(at.tau, k) });
      }
      show("explorer-plot", plot(curve, at, found));
      names.forEach(function (name) {
        var shown = name === "tau" ? at.tau.toPrecision(3) : String(at[name]);
        document.getElementById("explorer-" + name + "-value").textContent = shown;
        sliders[name].setAttribute("aria-valuetext", shown);
      });
      var k = needed(at.tau, 0.1), spread = variability(at.tau, at.k, at.n, 0.05);
      fill("risk", found.risk, 8);
      fill("limit", found.limit, 8);
      fill("bias", found.bias, 6);
      fill("dcl", found.dclBias, 6);
      fill("printed", Math.max(limits.printedBelow, limits.printedAbove), 4);
      fill("sharp", Math.max(limits.sharpBelow, limits.sharpAbove), 4);
      fill("needed-printed", Math.ceil(k.printed), 4);
      fill("needed-sharp", Math.ceil(k.sharp), 4);
      fill("spread-printed", spread.printed, 4);
      fill("spread-sharp", spread.sharp, 4);
      document.getElementById("explorer-said").textContent =
        "The risk is " + round(Math.abs(found.bias), 3) + " nats " + (found.bias < 0 ? "below" : "above") +
        " its limit. " + (spread.sharp > 2 / at.tau
          ? "With n = " + at.n + " the generalisation bound says nothing: one of its terms alone exceeds 2/τ."
          : "");
    }

    function fill(name, value, digits) {
      document.getElementById("explorer-" + name).textContent = round(value, digits);
    }

    names.forEach(function (name) { sliders[name].addEventListener("input", draw); });
    draw();
  }

  function show(id, html) {
    document.getElementById(id).innerHTML = html;
  }

  function plot(curve, at, found) {
    var series = [
      ["exact", function (c) { return Math.abs(c.bias.infonce); }],
      ["sharp", function (c) { return Math.max(c.bounds.sharpBelow, c.bounds.sharpAbove); }],
      ["printed", function (c) { return Math.max(c.bounds.printedBelow, c.bounds.printedAbove); }]
    ];
    var low = -12, high = 12;
    function x(k) {
      return LEFT + ((Math.log10(k) - DECADES.from) / (DECADES.to - DECADES.from)) * (WIDTH - LEFT - RIGHT);
    }
    function y(value) {
      var place = Math.min(high, Math.max(low, Math.log10(value)));
      return HEIGHT - BOTTOM - ((place - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    }
    var marks = [];
    for (var e = DECADES.from; e <= DECADES.to; e++) {
      marks.push('<path class="grid" d="M' + x(Math.pow(10, e)).toFixed(1) + " " + TOP + "V" + (HEIGHT - BOTTOM) + '"/>');
      marks.push('<text x="' + x(Math.pow(10, e)).toFixed(1) + '" y="' + (HEIGHT - BOTTOM + 18) + '" text-anchor="middle">10<tspan dy="-5" font-size="10">' + e + "</tspan></text>");
    }
    for (var f = low; f <= high; f += 4) {
      marks.push('<path class="grid" d="M' + LEFT + " " + y(Math.pow(10, f)).toFixed(1) + "H" + (WIDTH - RIGHT) + '"/>');
      marks.push('<text x="' + (LEFT - 8) + '" y="' + (y(Math.pow(10, f)) + 5).toFixed(1) + '" text-anchor="end">10<tspan dy="-5" font-size="10">' + String(f).replace("-", "−") + "</tspan></text>");
    }
    marks.push('<path class="axis" d="M' + LEFT + " " + TOP + "V" + (HEIGHT - BOTTOM) + "H" + (WIDTH - RIGHT) + '"/>');
    series.forEach(function (each) {
      var d = "";
      curve.forEach(function (c) {
        var value = each[1](c);
        if (value > 0 && isFinite(value)) d += (d ? "L" : "M") + x(c.k).toFixed(1) + " " + y(value).toFixed(1);
      });
      marks.push('<path class="series ' + each[0] + '" d="' + d + '"/>');
    });
    marks.push('<circle class="here" r="5" cx="' + x(at.k).toFixed(1) + '" cy="' + y(Math.abs(found.bias)).toFixed(1) + '"/>');
    marks.push('<text x="' + (LEFT + WIDTH) / 2 + '" y="' + (HEIGHT - 6) + '" text-anchor="middle">number of negatives k</text>');
    marks.push('<text transform="translate(14 ' + (HEIGHT - BOTTOM + TOP) / 2 + ') rotate(-90)" text-anchor="middle">distance, nats</text>');
    return marks.join("");
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
