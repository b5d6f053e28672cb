import { strict as assert } from 'node:assert';
import { plainValue, Spellings } from '../../../src/study/spellings';

describe('Ways to write a value', () => {
  it('are one for numbers with other decimals, spaces around, and accents written apart', () => {
    for (const [value, other] of [
      ['10', '10.0'],
      ['10', ' 10 '],
      ['0', '-0.0'],
      ['0.5', '.50'],
      ['ctrl', 'ctrl '],
      ['ctrl', '\u00a0ctrl'],
      ['Caf\u00e9', 'Cafe\u0301'],
    ] as const)
      assert.equal(plainValue(value), plainValue(other), `${value} and ${other}`);
  });

  it('are several where they may be meant', () => {
    for (const [value, other] of [
      ['7', '007'],
      ['1', '1,000'],
      ['Ctrl', 'ctrl'],
      ['10', '10 nM'],
      ['9007199254740993', '9007199254740992'],
      ['a b', 'a  b'],
    ] as const)
      assert.notEqual(plainValue(value), plainValue(other), `${value} and ${other}`);
  });

  it('are told, with the plainest as the value', () => {
    const spellings = new Spellings();
    for (const value of ['10.0', 'drug ', '10', 'drug ', '  ', 'ctrl']) spellings.add(value);
    assert.deepEqual(
      ['10.0', '10', 'drug ', 'ctrl', '  '].map(value => spellings.of(value)),
      ['10', '10', 'drug ', 'ctrl', null],
    );
    assert.deepEqual(spellings.alike, [{ value: '10', others: ['10.0'] }]);
  });
});
