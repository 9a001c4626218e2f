"""The wear of drives in service against what was predicted for them.

predicted   the inputs of the prediction, from the document of a plan or of a wear run
observed    the same figures from the samples of drives
verdict     their ratios, which input was wrong, and what to change
words       all that as text, rows and a document
"""

from drivecast.health.compare.factor import TOLERANCE, Comparison, Factor, compare
from drivecast.health.compare.prediction import Prediction, read
from drivecast.health.compare.wear_observation import Observation, observe, seen

__all__ = [
    "TOLERANCE",
    "Comparison",
    "Factor",
    "Observation",
    "Prediction",
    "compare",
    "observe",
    "read",
    "seen",
]
