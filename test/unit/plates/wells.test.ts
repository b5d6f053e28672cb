import { deepEqual } from 'node:assert/strict';
import { parseWell, plateSizeFor, plateSizes, rowName, wellName } from '../../../src/plates/wells';

describe('Wells', () => {
  it('are read in each of the ways that they are written', () => {
    const first = { row: 0, column: 0 };
    for (const text of ['A1', 'A01', 'a1', ' A1 ']) deepEqual(parseWell(text), first, text);
    deepEqual(parseWell('Z9'), { row: 25, column: 8 });
    deepEqual(parseWell('AA01'), { row: 26, column: 0 });
    deepEqual(parseWell('AF48'), { row: 31, column: 47 });
  });

  it('are none beyond 1,536, nor with other texts around them', () => {
    for (const text of ['', 'A', '1', 'A0', 'A49', 'AG1', 'BA1', 'A1-A2', 'A1, B1', 'A1b', 'well A1'])
      deepEqual(parseWell(text), undefined, text);
  });

  it('are named as they are read, on each plate', () => {
    deepEqual([rowName(0), rowName(25), rowName(26), rowName(31)], ['A', 'Z', 'AA', 'AF']);
    for (const { rows, columns } of plateSizes)
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          deepEqual(parseWell(wellName({ row, column })), { row, column });
  });

  it('are on the smallest standard plate that has them', () => {
    const sizeOf = (...names: string[]) => plateSizeFor(names.flatMap(name => parseWell(name) ?? [])).wells;
    deepEqual(sizeOf(), 6);
    deepEqual(sizeOf('B3'), 6);
    deepEqual(sizeOf('C1'), 12);
    deepEqual(sizeOf('A6'), 24);
    deepEqual(sizeOf('F8'), 48);
    deepEqual(sizeOf('H12'), 96);
    deepEqual(sizeOf('A13'), 384);
    deepEqual(sizeOf('I1'), 384);
    deepEqual(sizeOf('P24', 'A1'), 384);
    deepEqual(sizeOf('AF48'), 1536);
    for (const { wells, rows, columns } of plateSizes) deepEqual(rows * columns, wells);
  });
});
