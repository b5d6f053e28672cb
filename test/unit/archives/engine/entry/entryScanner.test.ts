import { deepEqual, equal } from 'node:assert/strict';
import { ClassNames } from '../../../../../src/archives/engine/classNames';
import { EntryScanner } from '../../../../../src/archives/engine/readImageEntry';
import { image, rectangle } from '../archives';

describe('an entry while it is read', () => {
  it('reports which share of it was read, from its first piece on', () => {
    const objects = Array.from({ length: 4000 }, (_, at) =>
      rectangle(at + 1, at % 60, 0, (at % 60) + 2, 3, 'Cell'),
    );
    const bytes = Buffer.from(JSON.stringify(image('a', 64, 64, objects)));
    const scanner = new EntryScanner(new ClassNames(['Cell']), bytes.length);
    equal(scanner.soFar, undefined);
    const half = bytes.length >> 1;
    const shares = [bytes.subarray(0, half), bytes.subarray(half)].map(piece => {
      scanner.push(piece);
      return scanner.soFar?.share;
    });
    deepEqual(shares, [half / bytes.length, 1]);
  });
});
