"""Find, load and check drives: data sheets as data, every number with its origin.

Model: a drive is its sheet (`sheet`), its flash generation and its link; `device` turns it into the parameters of a
simulated device; `plausibility` finds what is impossible. Prices and field failure rates are files of their own.
Nothing here simulates: `drivecast.calibration` compares drives with their sheets and fits them.
"""

from drivecast.catalog.catalog import Catalog, bundled, load
from drivecast.catalog.controller import Controller, controller_provenance, controller_spec
from drivecast.catalog.device import device_parameters, device_spec, provenance
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Bounded, Range
from drivecast.catalog.inventory import inventory, parts, shown
from drivecast.catalog.plausibility import check, findings
from drivecast.catalog.prices import Prices, Scenario
from drivecast.catalog.reader import CatalogError, Problem
from drivecast.catalog.ssd_device import Corner
from drivecast.catalog.volume import Volume, volume_provenance, volume_spec
from drivecast.document.catalog import Finding, Parameter, Provenance

__all__ = [
    "Bounded",
    "Catalog",
    "CatalogError",
    "Controller",
    "Corner",
    "Drive",
    "Finding",
    "Parameter",
    "Prices",
    "Problem",
    "Provenance",
    "Range",
    "Scenario",
    "Volume",
    "bundled",
    "check",
    "controller_provenance",
    "controller_spec",
    "device_parameters",
    "device_spec",
    "findings",
    "inventory",
    "load",
    "parts",
    "provenance",
    "shown",
    "volume_provenance",
    "volume_spec",
]
