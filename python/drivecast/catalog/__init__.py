"""Find, load and check drives: data sheets as data, every number with its origin.

Model: a drive is its sheet (`sheet`), its flash generation and its link; `device` turns it into the
parameters of a simulated device; `finding` tells what cannot be. Prices and field failure rates are files of
their own. Nothing here simulates but
`sheet_test` and `fitting`, which hold drives against their sheets and are imported by those who ask for it.
"""

from drivecast.catalog.catalog import Catalog, bundled, load
from drivecast.catalog.controller import Controller, controller_provenance, controller_spec
from drivecast.catalog.device import Corner, Parameter, device_parameters, device_spec, provenance
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Bounded, Provenance, Range
from drivecast.catalog.finding import Finding, check
from drivecast.catalog.prices import Prices, Scenario
from drivecast.catalog.problem import CatalogError, Problem
from drivecast.catalog.volume import Volume, volume_provenance, volume_spec

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
    "load",
    "provenance",
    "volume_provenance",
    "volume_spec",
]
