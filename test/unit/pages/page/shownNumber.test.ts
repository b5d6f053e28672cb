import * as assert from 'node:assert/strict';
import { columnDecimals, shownAlone, shownNumber } from '../../../../src/pages/page/numbers';

describe('A number by itself', () => {
  it('has as many digits as mean something, with either decimal mark', () => {
    const shown = ['23.1433751482', '-1024.66666', '0.000123456789', '23,1433751482'].map(shownAlone);
    assert.deepEqual(shown, ['23.14', '-1024.7', '0.000123', '23,14']);
  });

  it('is shown as it is where the mark may separate thousands, or where it is none', () => {
    const cells = [
      '12,345',
      '12.345',
      '1,234,567',
      '4242',
      '123456789012',
      'a.12345',
      '1.2.34567',
      '',
      '1e-9',
    ];
    assert.deepEqual(cells.map(shownAlone), cells);
    assert.equal(shownAlone('0.0000001234'), '0.0000001234');
  });
});

describe('Numbers in a column', () => {
  const column = (cells: string[], mark: '.' | ',' = '.') => {
    const decimals = columnDecimals(cells, mark);
    return decimals === undefined ? cells : cells.map(cell => shownNumber(cell, decimals, mark));
  };

  it('have the same number of digits after the point', () => {
    assert.deepEqual(column(['412.5321', '33.1', '1024']), ['412.5', '33.1', '1024.0']);
    assert.deepEqual(column(['0.87341', '0.5', '-0.123456']), ['0.8734', '0.5000', '-0.1235']);
    assert.deepEqual(column(['12.345', '98.7']), ['12.35', '98.70']);
  });

  it('have no more digits than the file', () => {
    assert.deepEqual(column(['0.5', '0.25']), ['0.50', '0.25']);
    assert.deepEqual(column(['4.0', '17.0', '128.0']), ['4', '17', '128']);
    assert.deepEqual(column(['3', '40']), ['3', '40']);
  });

  it('keep a digit after the point where they have any, however large they are', () => {
    assert.deepEqual(column(['20480.25', '10240.75']), ['20480.3', '10240.8']);
  });

  it('are shown as in the file where rounding would make them something else', () => {
    const cells = ['0.5', '0.0000012', '1e-9', '007', 'NA', '', '9007199254740993', 'inf', '0.25', '0.75'];
    assert.deepEqual(column(cells), [
      '0.5000',
      '0.0000012',
      '1e-9',
      '007',
      'NA',
      '',
      '9007199254740993',
      'inf',
      '0.2500',
      '0.7500',
    ]);
    assert.deepEqual(column(['0.00', '-0.0', '1.5']), ['0.0', '0.0', '1.5']);
  });

  it('keep a decimal comma', () => {
    assert.deepEqual(column(['412,5321', '33,1'], ','), ['412,5', '33,1']);
    assert.deepEqual(column(['412.5', '33,1'], ','), ['412.5', '33,1']);
  });
});
