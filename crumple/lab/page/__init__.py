"""Parts of the lab's pages: charts, tables, page frames; as HTML, Markdown and PNG."""
