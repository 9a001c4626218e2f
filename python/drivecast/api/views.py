"""How documents show themselves: the views of `present.notebook`, once something is asked of the API."""

from drivecast.document.part import Document, Figures


class _Later:
    """A view that is loaded when a document is first shown: charts are slow to import."""

    def _view(self, document: Document) -> object:
        from drivecast.present import notebook  # noqa: PLC0415

        del Document.views[Document]
        notebook.register()
        return document

    def html(self, document: Document) -> str | None:
        """As the view of its kind has it."""
        self._view(document)
        return document._repr_html_()

    def plot(self, document: Document) -> Figures:
        """As the view of its kind has it."""
        self._view(document)
        return document.plot


def register() -> None:
    """Have documents find their views."""
    if not Document.views:
        Document.views[Document] = _Later()  # type: ignore[assignment]
