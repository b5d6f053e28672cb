/** Where a number stands among ascending ones; −1 when it does not. */
export function placeInSorted(rows: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as number;
    if (row === wanted) return middle;
    if (row < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
