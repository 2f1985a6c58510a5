"""Parts of the lab's pages: charts, tables, the frame around them; in HTML, in Markdown, as PNGs."""
