// Rows of cells become lines with aligned columns, without trailing spaces; texts become lines of limited width.

export function aligned(rows: readonly (readonly string[])[], gap = "   "): string[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** The lines of a text, with its indentation: broken at spaces, and inside a word only if it is longer than a line. */
export function wrapped(text: string, width: number): string[] {
  const [indentation = ""] = /^ */.exec(text) ?? [];
  const most = Math.max(width - indentation.length, 1);
  const lines = text.match(new RegExp(`\\S.{0,${most - 1}}(?= |$)|\\S{${most}}`, "gu")) ?? [];
  return lines.map((line) => indentation + line.trimEnd());
}
