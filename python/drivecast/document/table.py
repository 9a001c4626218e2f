"""A table inside a document: rows of one kind, as the core hands them over (Arrow) or as JSON has them.

Rows are read from Arrow when they are first wanted: many runs are made for their figures alone.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Self, TypeVar, cast

from pydantic import BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

if TYPE_CHECKING:
    import polars as pl
    from polars._typing import ArrowArrayExportable

Row = TypeVar("Row")


def _listed(source: Any) -> Any:
    if not hasattr(source, "__arrow_c_array__"):
        return source
    import polars as pl  # noqa: PLC0415 (slow to import, and few runs need it)

    is_table = hasattr(source, "num_columns")
    return pl.DataFrame(source).to_dicts() if is_table else pl.Series(source).to_list()


Rows = Annotated[list[Row], BeforeValidator(_listed)]
"""A short table, whose rows are read at once."""


class Table(Generic[Row]):
    """Rows of one kind. A table that was not kept is empty, and its key is left out of the JSON."""

    row: ClassVar[Any]
    """The type of a row, a `TypedDict`."""

    def __init__(self, source: "Sequence[Row] | ArrowArrayExportable | None" = None) -> None:
        self._source: Any = source
        self._rows = list(source) if isinstance(source, Sequence) else None

    @property
    def is_absent(self) -> bool:
        """Whether the table was not kept."""
        return self._source is None

    @property
    def rows(self) -> list[Row]:
        """The rows, as dicts."""
        if self._rows is None:
            rows: Any = [] if self._source is None else self._frame().to_dicts()
            self._rows = list[Row](rows)
        return self._rows

    @property
    def frame(self) -> "pl.DataFrame":
        """The rows as a frame with all columns, null where no row has them."""
        import polars as pl  # noqa: PLC0415 (slow to import, and few runs need it)

        frame = self._frame()
        absent = [name for name in self.row.__annotations__ if name not in frame.columns]
        return frame.with_columns(pl.lit(None).alias(name) for name in absent)

    def _frame(self) -> "pl.DataFrame":
        import polars as pl  # noqa: PLC0415 (slow to import, and few runs need it)

        frame = pl.DataFrame(self._source, infer_schema_length=None)
        return frame.select(name for name in self.row.__annotations__ if name in frame.columns)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> Row:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.is_absent == other.is_absent and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rows, or as a frame what the core handed over, which stays in its process."""
        plain = self.is_absent or isinstance(self._source, Sequence)
        return type(self), (self._source if plain else self._frame(),)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            cls._validated,
            handler(list[cls.row]),  # type: ignore[name-defined]
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda table: table.rows, return_schema=core_schema.list_schema(core_schema.any_schema())
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The table as an array of its rows, which the serialiser itself does not name."""
        described = handler(cast("core_schema.WrapValidatorFunctionSchema", schema)["schema"])
        return {**described, "description": inspect.cleandoc(cls.__doc__ or "")}

    @classmethod
    def _validated(cls, source: Any, rows: Callable[[Any], list[Row]]) -> Self:
        if isinstance(source, cls):
            return source
        is_table = source is None or hasattr(source, "__arrow_c_array__")
        return cls(source if is_table else rows(source))
