import { equal, notEqual } from 'node:assert/strict';
import { CsvDictionary, MAX_STORED_BYTES } from '../../../../src/columns/csv/csvDictionary';
import { scanBlock, TEXT } from '../../../../src/columns/csv/csvScan';

describe('The dictionary of a column', () => {
  it('tells a text from the long one above that begins with it', () => {
    const short = 'x'.repeat(MAX_STORED_BYTES);
    const text = new TextEncoder().encode(`${short}yes\n${short}\n${short}no\n`);
    const dictionary = new CsvDictionary(1e6);
    const bytes = new Uint8Array(text.length + 1);
    bytes.set(text);
    const block = scanBlock(
      { bytes, from: 0, to: text.length, stopAt: text.length, isEnd: true, offset: 0 },
      { delimiter: ','.charCodeAt(0), decimalComma: false, modes: Uint8Array.of(TEXT) },
      [dictionary],
      10,
    );
    if (typeof block === 'string' || !('codes' in block)) throw new Error('no rows');
    const [first, second = 0, third] = block.codes;
    notEqual(first, second);
    notEqual(second, third);
    notEqual(first, third);
    equal(dictionary.longText(second), undefined);
  });
});
