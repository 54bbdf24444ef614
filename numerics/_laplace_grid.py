"""The grid of :mod:`numerics.laplace`, shared with its compiled form.

These numbers are compiled into the kernels, whose cache sees edits of private modules only
(:mod:`numerics._jit`); so they live in one.
"""

#: The recurrences start where w max(Y) is this small; there eight moments suffice.
START = 2.0**-7
MOMENTS = 8
#: Sums start where t, or w max(Y) if that is smaller, is this small; what they leave out is
#: estimated up to relative errors of FIRST^2.
FIRST = 2.0**-33
#: e^{-t} is negligible beyond, next to any integral that is not 0; e^{2w} is still a float.
LAST = 350.0
#: Nodes per octave: the error of the rule is about e^{-42}.
PER_OCTAVE = 3
