"""The wear of drives in service compared with what was predicted for them.

prediction          the inputs of the prediction, from the document of a plan or of a wear run
wear_observation    the same figures from the samples of drives
factor              their ratios, and which input was wrong
"""

from drivecast.health.compare.factor import TOLERANCE, compare
from drivecast.health.compare.prediction import read
from drivecast.health.compare.wear_observation import observe, seen

__all__ = ["TOLERANCE", "compare", "observe", "read", "seen"]
