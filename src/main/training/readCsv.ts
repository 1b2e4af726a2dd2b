// CSV with a header line, as RFC 4180 has it; numbers come out as numbers.

/** A row as an object of its columns. An empty cell is left out. */
export function readCsv(text: string): Record<string, string | number>[] {
  const [header, ...rows] = cellsOf(text);
  if (header === undefined) return [];
  return rows.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, index) => {
        const cell = cells[index]?.trim() ?? '';
        return cell === '' ? [] : [[name.trim(), numberOr(cell)]];
      }),
    ),
  );
}

const numberOr = (cell: string): string | number => {
  const value = Number(cell);
  return Number.isFinite(value) ? value : cell;
};

function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return rows;
}
